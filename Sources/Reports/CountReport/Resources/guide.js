// What to count and where: boxes and a part of the photo, drawn for the next count, and its command line.
(() => {
  if (!page) return;
  const { byID, viewer, readout, width, height, boxOf, setBox, within, shifted, light } = page;
  const layer = byID("guide");
  const list = byID("guide-list");
  const buttons = {
    like: byID("guide-like"), unlike: byID("guide-unlike"), region: byID("guide-region"),
  };
  const words = { like: "Count", unlike: "Leave out", region: "Only in" };
  const svgNamespace = "http://www.w3.org/2000/svg";
  let mode = null;
  // The corners of a polygon that is not closed yet.
  let corners = [];
  let gesture = null;

  // ---- The shapes: rectangles of two kinds, and one polygon.

  const boxes = (kind) => [...layer.querySelectorAll(`rect.${kind}`)];
  const region = () => layer.querySelector("polygon.region");
  const round = (value) => Math.round(value);
  const cornersOf = (shape) => shape.getAttribute("points").trim().split(/\s+/)
    .map((pair) => pair.split(",").map(Number));
  const isRectangle = (points) => points.length === 4
    && points[0][1] === points[1][1] && points[1][0] === points[2][0]
    && points[2][1] === points[3][1] && points[3][0] === points[0][0]
    && points[0][0] < points[1][0] && points[0][1] < points[3][1];
  const rectangle = ([x, y, right, bottom]) => [[x, y], [right, y], [right, bottom], [x, bottom]];
  const numbersOf = (shape) => {
    if (shape.matches("rect")) {
      const [x, y, right, bottom] = boxOf(shape).map(round);
      return [x, y, Math.max(right - x, 1), Math.max(bottom - y, 1)];
    }
    const points = cornersOf(shape).map((corner) => corner.map(round));
    return isRectangle(points)
      ? [...points[0], points[2][0] - points[0][0], points[2][1] - points[0][1]] : points.flat();
  };
  const setCorners = (shape, points) => {
    shape.setAttribute("points", points.map((corner) => corner.join(",")).join(" "));
  };
  const addBox = (kind, box) => {
    const shape = document.createElementNS(svgNamespace, "rect");
    shape.setAttribute("class", `exemplar ${kind}`);
    shape.dataset.title = kind === "like" ? "Drawn: count what is like this"
      : "Drawn: leave out what is like this";
    setBox(shape, box);
    layer.append(shape);
    return shape;
  };
  const setRegion = (points) => {
    let shape = region();
    if (!shape) {
      shape = document.createElementNS(svgNamespace, "polygon");
      shape.setAttribute("class", "region");
      casing.after(shape);
    }
    setCorners(shape, points);
    return shape;
  };
  // A line to the corners so far, and to the pointer.
  const sketch = (points) => {
    let line = layer.querySelector("polyline");
    if (points.length === 0) {
      if (line) line.remove();
      return;
    }
    if (!line) {
      line = document.createElementNS(svgNamespace, "polyline");
      line.setAttribute("class", "region");
      layer.append(line);
    }
    setCorners(line, points);
  };

  // A dark line under all of them, whatever moves them, so that they show on any photo.
  const casing = byID("guide-casing");
  new MutationObserver(() => {
    const outlines = [...layer.querySelectorAll("rect, polygon, polyline")].map((shape) => {
      const points = shape.matches("rect") ? rectangle(boxOf(shape)) : cornersOf(shape);
      return `M${points.map((point) => point.join(" ")).join("L")}`
        + (shape.matches("polyline") ? "" : "z");
    }).join("");
    if (casing.getAttribute("d") !== outlines) casing.setAttribute("d", outlines);
  }).observe(layer, { attributes: true, childList: true, subtree: true });

  // ---- The list, and the command line.

  const quoted = (text) => {
    const path = text.startsWith("-") ? `./${text}` : text;
    return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replace(/'/g, "'\\''")}'`;
  };
  // What is drawn, as pairs of a kind and its numbers; served.js sends them.
  page.marks = () => ["like", "unlike", "region"].flatMap((kind) =>
    [...layer.querySelectorAll(`rect.${kind}, polygon.${kind}`)].map((shape) =>
      [kind, numbersOf(shape).join(",")]));
  const command = () => ["tally", "count", quoted(page.name),
    ...page.marks().flatMap(([kind, numbers]) => [`--${kind}`, numbers])].join(" ");
  // The shape that a person's numbers say, or null if they say none.
  const changed = (shape, text) => {
    const numbers = text.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
    if (!numbers.every(Number.isFinite)) return false;
    const [x, y, w, h] = numbers;
    if (numbers.length === 4) {
      if (!(w > 0 && h > 0)) return false;
      const box = within([x, y, x + w, y + h]);
      if (box[2] - box[0] < 1 || box[3] - box[1] < 1) return false;
      if (shape.matches("rect")) setBox(shape, box);
      else setCorners(shape, rectangle(box));
      return true;
    }
    if (shape.matches("rect") || numbers.length < 6 || numbers.length % 2) return false;
    setCorners(shape, Array.from({ length: numbers.length / 2 },
      (_, at) => [numbers[2 * at], numbers[2 * at + 1]]));
    return true;
  };
  const entry = (shape, kind, at) => {
    const item = document.createElement("li");
    const label = document.createElement("label");
    const field = document.createElement("input");
    field.type = "text";
    field.value = numbersOf(shape).join(",");
    field.spellcheck = false;
    const title = document.createElement("span");
    title.textContent = `${words[kind]}${kind === "region" ? "" : ` ${at + 1}`}`;
    label.append(title, field);
    field.addEventListener("change", () => {
      if (changed(shape, field.value)) {
        refresh();
      } else {
        field.value = numbersOf(shape).join(",");
        readout.textContent = kind === "region"
          ? "A part is left, top, width, height, or the corners of a polygon: x, y, x, y, x, y."
          : "A box is left, top, width, height in pixels of the photo, the last two above 0.";
      }
    });
    field.addEventListener("focus", () => light(shape));
    const remove = document.createElement("button");
    remove.type = "button";
    remove.textContent = "Remove";
    remove.setAttribute("aria-label", `Remove: ${title.textContent}`);
    remove.addEventListener("click", () => {
      discard(shape);
      (list.querySelector("button") || buttons[kind]).focus();
    });
    item.append(label, remove);
    item.addEventListener("pointerenter", () => light(shape));
    return item;
  };
  const refresh = () => {
    const entries = ["like", "unlike"].flatMap((kind) =>
      boxes(kind).map((shape, at) => entry(shape, kind, at)));
    if (region()) entries.push(entry(region(), "region", 0));
    list.replaceChildren(...entries);
    byID("guide-panel").hidden = entries.length === 0;
    byID("guide-command").textContent = command();
  };
  const discard = (shape) => {
    if (page.lit() === shape) light(null);
    shape.remove();
    refresh();
    readout.textContent = "Removed.";
  };
  const finish = (shape, text) => {
    refresh();
    light(shape);
    readout.textContent = text;
  };
  const closePolygon = () => {
    const points = corners;
    corners = [];
    sketch([]);
    if (points.length < 3) return;
    const shape = setRegion(points.map((corner) => corner.map(round)));
    finish(shape, `A part with ${points.length} corners.`);
  };

  const setMode = (next) => {
    mode = mode === next ? null : next;
    corners = [];
    sketch([]);
    if (mode) page.setCorrecting(false);
    for (const [kind, button] of Object.entries(buttons)) {
      button.setAttribute("aria-pressed", String(kind === mode));
      byID(`guide-help-${kind === "region" ? "region" : "box"}`).hidden =
        kind === "region" ? mode !== "region" : mode === null || mode === "region";
    }
    viewer.classList.toggle("guiding", mode !== null);
  };

  // ---- Pointers: while something is drawn, the photo's own gestures wait.

  const at = (event) => {
    const { x, y } = page.place(event);
    return [Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)];
  };
  viewer.addEventListener("pointerdown", (event) => {
    if (!mode || event.button !== 0) return;
    event.stopPropagation();
    event.preventDefault();
    viewer.focus({ preventScroll: true });
    gesture = { id: event.pointerId, start: at(event), far: false, shape: null,
      under: event.target.closest("rect") };
    viewer.setPointerCapture(event.pointerId);
  }, true);
  viewer.addEventListener("pointermove", (event) => {
    if (!mode) return;
    if (!gesture) {
      if (corners.length > 0) {
        event.stopPropagation();
        sketch([...corners, at(event)]);
      }
      return;
    }
    event.stopPropagation();
    if (event.pointerId !== gesture.id) return;
    const [x, y] = at(event);
    const reach = 6 * page.unitsPerPixel();
    gesture.far = gesture.far || Math.hypot(x - gesture.start[0], y - gesture.start[1]) > reach;
    if (!gesture.far) return;
    const box = within([...gesture.start, x, y]);
    if (mode === "region") {
      if (corners.length === 0) gesture.shape = setRegion(rectangle(box));
    } else if (gesture.shape) {
      setBox(gesture.shape, box);
    } else {
      gesture.shape = addBox(mode, box);
    }
  }, true);
  const end = (event) => {
    if (!gesture || event.pointerId !== gesture.id) return;
    event.stopPropagation();
    const done = gesture;
    gesture = null;
    if (event.type === "pointercancel") {
      if (done.shape) discard(done.shape);
      return;
    }
    if (mode === "region") {
      if (done.shape) {
        const points = cornersOf(done.shape).map((corner) => corner.map(round));
        setCorners(done.shape, points);
        finish(done.shape, "A rectangle to count in.");
        return;
      }
      const near = 10 * page.unitsPerPixel();
      const [first] = corners;
      if (corners.length > 2
        && Math.hypot(done.start[0] - first[0], done.start[1] - first[1]) < near) {
        closePolygon();
        return;
      }
      corners.push(done.start);
      sketch(corners);
      readout.textContent = `${corners.length} ${corners.length === 1 ? "corner" : "corners"}. `
        + "Enter, or a tap on the first, closes the part.";
      return;
    }
    if (done.shape) {
      const [x, y, right, bottom] = boxOf(done.shape);
      if (right - x < 3 || bottom - y < 3) discard(done.shape);
      else finish(done.shape, `${words[mode]}: a box was drawn.`);
    } else if (done.under && layer.contains(done.under)) {
      light(done.under);
    } else if (done.under) {
      finish(addBox(mode, boxOf(done.under)), `${words[mode]}: the box of an object.`);
    } else {
      readout.textContent = "Drag to draw a box around an object.";
    }
  };
  viewer.addEventListener("pointerup", end, true);
  viewer.addEventListener("pointercancel", end, true);
  viewer.addEventListener("dblclick", (event) => {
    if (mode) event.stopPropagation();
  }, true);

  // ---- The keyboard.

  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const middle = (share) => {
    const view = page.shown();
    const [w, h] = [view.width * share, mode === "region" ? view.height * share : view.width * share];
    const [x, y] = [view.x + (view.width - w) / 2, view.y + (view.height - h) / 2];
    return within([x, y, x + w, y + h]).map(round);
  };
  const nudge = (shape, [dx, dy], isMove) => {
    const isBox = shape.matches("rect");
    const points = isBox ? [] : cornersOf(shape);
    const box = isBox ? boxOf(shape) : within([...points[0], ...points[0]]);
    if (isBox || isRectangle(points)) {
      const [x, y, right, bottom] = isBox ? box : [...points[0], ...points[2]];
      const next = isMove ? shifted([x, y, right, bottom], dx, dy)
        : within([x, y, Math.max(right + dx, x + 2), Math.max(bottom + dy, y + 2)]);
      if (isBox) setBox(shape, next);
      else setCorners(shape, rectangle(next));
    } else if (isMove) {
      setCorners(shape, points.map(([x, y]) => [x + dx, y + dy]));
    }
  };
  viewer.addEventListener("keydown", (event) => {
    if (!mode || event.ctrlKey || event.metaKey) return;
    const lit = page.lit();
    const isOurs = lit && layer.contains(lit);
    const arrow = arrows[event.key];
    let isUsed = true;
    if (arrow && (event.shiftKey || event.altKey) && isOurs) {
      const pixels = Math.max(1, Math.round(page.unitsPerPixel()));
      nudge(lit, [arrow[0] * pixels, arrow[1] * pixels], event.shiftKey);
      finish(lit, `${event.shiftKey ? "Moved" : "Resized"}: ${numbersOf(lit).join(", ")}.`);
    } else if (event.key === "a" || event.key === "A") {
      if (mode === "region") finish(setRegion(rectangle(middle(0.5))), "A rectangle to count in.");
      else finish(addBox(mode, lit && !isOurs ? boxOf(lit) : middle(0.1)), `${words[mode]}: a box.`);
    } else if ((event.key === "Delete" || event.key === "Backspace") && isOurs) {
      discard(lit);
    } else if (event.key === "Enter" && corners.length > 2) {
      closePolygon();
    } else if (event.key === "Escape") {
      if (corners.length > 0) {
        corners = [];
        sketch([]);
        readout.textContent = "The corners are gone.";
      } else {
        const button = buttons[mode];
        setMode(mode);
        button.focus();
      }
    } else {
      isUsed = false;
    }
    if (!isUsed) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  // ---- Buttons.

  for (const [kind, button] of Object.entries(buttons)) {
    button.addEventListener("click", () => setMode(kind));
  }
  byID("correct").addEventListener("click", () => {
    if (mode) setMode(mode);
  });
  byID("guide-copy").addEventListener("click", async () => {
    const selection = getSelection();
    selection.selectAllChildren(byID("guide-command"));
    let isCopied = false;
    try {
      await navigator.clipboard.writeText(command());
      isCopied = true;
    } catch {
      // Pages from a disk may not use the clipboard's own interface.
      isCopied = document.execCommand("copy");
    }
    readout.textContent = isCopied ? "The command line is copied."
      : "The command line is selected: copy it by Ctrl and C.";
  });

  // ---- The two readings of kinds.

  const shapes = [...page.overlay.querySelectorAll("rect[data-coarser]")].map((shape) =>
    ({ shape, kind: shape.getAttribute("class").match(/\bk\d\b/)[0], title: shape.dataset.title }));
  for (const choice of document.querySelectorAll("#readings input")) {
    choice.addEventListener("change", () => {
      for (const { shape, kind, title } of shapes) {
        const place = Number(shape.dataset[choice.value] ?? NaN);
        const isOther = Number.isFinite(place);
        shape.classList.remove("k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7");
        shape.classList.add(isOther ? `k${Math.min(place, 7)}` : kind);
        shape.dataset.title = isOther
          ? title.replace(/, (main kind|kind \d+):/,
            `, ${place === 0 ? "main kind" : `kind ${place + 1}`}:`) : title;
      }
      readout.textContent = `Boxes show: ${choice.labels[0].textContent.trim()}.`;
    });
  }

  if (byID("readings")) byID("readings").hidden = false;
  byID("guide-tools").hidden = false;
  refresh();
})();
