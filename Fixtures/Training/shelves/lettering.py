"""Masks of lettering, made once a process and taken by chance."""

import pathlib

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

GIVEN = (
    "Anna Thomas Chris Kurt Philip Iris Michael Toni Haruki Elena Jane Ursula James Maria Pablo Olga Ivan Stefan"
    " Margaret Neil Sally Ian Virginia George Franz Umberto Chinua Zadie Kazuo Salman Leo Emily Charlotte Mark"
).split()
FAMILY = (
    "Murray Hardy Woods Vonnegut Larkin Murdoch Ondaatje Morrison Murakami Ferrante Austen Leguin Baldwin Neruda"
    " Kowalski Novak Lindgren Atwood Gaiman Rooney McEwan Woolf Orwell Kafka Eco Achebe Smith Ishiguro Rushdie"
    " Tolstoi Bronte Twain Schmidt Dubois Garcia Rossi Andersson Nguyen Okafor"
).split()
WORDS = (
    "the of and a in to for with on from night island letters history garden winter poems river atlas silent music"
    " black road house sea last summer blue light stories essays war peace world design code logic physics modern"
    " introduction handbook complete guide art science mind body love death money power city girl boy mother"
    " father king queen dragon shadow star fire stone glass time memory secret lost golden little great new old"
    " programming analysis theory applied systems principles cooking travel language dictionary economics law"
    " medicine chemistry biology algebra statistics networks machine learning red white green dark bright"
).split()
PUBLISHERS = "VINTAGE PENGUIN FABER PICADOR SPRINGER OXFORD WILEY ACE TOR DK O'REILLY HARPER ORBIT MIT 8 II 3 XII".split()
# Text of other alphabets: shapes of letters matter here, words do not.
OTHERS = ("ВОЙНА И МИР", "Мастер и Маргарита", "ΟΔΥΣΣΕΙΑ", "Größe", "Œuvres complètes", "Młodość", "Čas")

HEIGHT = 48


def fonts(folders):
    """Paths of fonts that have Latin letters."""
    found = []
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix.lower() not in (".ttf", ".otf"):
                continue
            name = path.name.lower()
            if any(word in name for word in ("symbol", "dingbat", "emoji", "icon", "math", "fallback", "d05", "braille")):
                continue
            found.append(str(path))
    return found


def phrase(rng):
    kind = rng.random()
    if kind < 0.3:
        text = f"{rng.choice(GIVEN)} {rng.choice(FAMILY)}"
        if rng.random() < 0.2:
            text = str(rng.choice(FAMILY))
    elif kind < 0.4:
        text = str(rng.choice(PUBLISHERS))
    elif kind < 0.43:
        text = str(rng.choice(OTHERS))
    else:
        text = " ".join(rng.choice(WORDS, int(rng.integers(1, 7)))).title()
    return text.upper() if rng.random() < 0.4 else text


class Lettering:
    """A store of masks of one line each."""

    def __init__(self, rng, paths, count=1500):
        self.masks = []
        while len(self.masks) < count:
            try:
                font = ImageFont.truetype(str(rng.choice(paths)), 44)
                text = phrase(rng)
                box = font.getbbox(text)
            except OSError:
                continue
            width, height = box[2] - box[0], box[3] - box[1]
            if width < 8 or height < 8 or width > 4000:
                continue
            image = Image.new("L", (width + 4, height + 4))
            ImageDraw.Draw(image).text((2 - box[0], 2 - box[1]), text, fill=255, font=font)
            mask = np.asarray(image)
            if mask.mean() < 4 or mask.mean() > 200:
                continue
            width = max(4, int(mask.shape[1] * HEIGHT / mask.shape[0]))
            self.masks.append(cv2.resize(mask, (width, HEIGHT), interpolation=cv2.INTER_AREA))
        self.ratios = np.array([m.shape[1] / HEIGHT for m in self.masks])

    def line(self, rng, width, height, least=0.0):
        """A mask at most so wide and so high, about as large as it can be; letters keep their shape, more or less."""
        ratio = width / max(height, 1)
        fits = None
        for _ in range(6):
            index = int(rng.integers(len(self.masks)))
            if least * ratio <= self.ratios[index] <= 1.3 * ratio:
                fits = index
                break
        if fits is None:
            fits = int(rng.integers(len(self.masks)))
        mask = self.masks[fits]
        scale = min(height / HEIGHT, width / mask.shape[1] * rng.uniform(1, 1.25))
        size = (int(np.clip(mask.shape[1] * scale, 1, width)), int(np.clip(HEIGHT * scale, 1, height)))
        return cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
