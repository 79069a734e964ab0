"use strict";
// What guide.js and served.js need of it is returned at the end; undefined if there is no photo.
const page = (() => {
  const byID = (id) => document.getElementById(id);
  const svgNamespace = "http://www.w3.org/2000/svg";
  const viewer = byID("viewer");
  const overlay = byID("overlay");
  const readout = byID("readout");
  const main = byID("main");
  if (!viewer || !overlay || !main) return undefined;
  const [, , width, height] = overlay.getAttribute("viewBox").split(" ").map(Number);

  // ---- The boxes, whose titles become the readout.

  const describe = (shape) => shape.dataset.title || "";
  for (const shape of overlay.querySelectorAll("rect")) {
    const title = shape.querySelector("title");
    if (title) {
      shape.dataset.title = title.textContent;
      title.remove();
    }
  }
  const points = new Map();
  for (const point of document.querySelectorAll("#map .point[data-object]")) {
    const number = point.dataset.object;
    if (!points.has(number)) points.set(number, []);
    points.get(number).push(point);
  }

  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true");
  viewer.append(tip);
  let lit = null;

  const light = (shape) => {
    if (lit === shape) return;
    const mark = (one, isLit) => {
      one.classList.toggle("lit", isLit);
      for (const point of points.get(one.dataset.object) || []) {
        point.classList.toggle("lit", isLit);
      }
    };
    if (lit) mark(lit, false);
    lit = shape;
    if (lit) {
      mark(lit, true);
      readout.textContent = describe(lit);
    }
  };

  const showTip = (event, shape) => {
    if (!shape || event.pointerType !== "mouse") {
      tip.hidden = true;
      return;
    }
    tip.textContent = describe(shape);
    tip.hidden = false;
    const frame = viewer.getBoundingClientRect();
    const x = event.clientX - frame.left;
    const y = event.clientY - frame.top;
    const right = x + 14 + tip.offsetWidth > frame.width;
    const below = y + 14 + tip.offsetHeight > frame.height;
    tip.style.left = `${Math.max(right ? x - 10 - tip.offsetWidth : x + 14, 0)}px`;
    tip.style.top = `${Math.max(below ? y - 10 - tip.offsetHeight : y + 14, 0)}px`;
  };

  for (const [number, marks] of points) {
    for (const mark of marks) {
      mark.addEventListener("pointerenter", () => {
        const box = byID(`box-${number}`);
        if (box) light(box);
      });
    }
  }

  // ---- What the photo shows: zoom and pan.

  let view = { x: 0, y: 0, width, height };
  const setView = (next) => {
    const scale = Math.min(Math.max(next.width / width, 1 / 40), 1);
    const w = width * scale;
    const h = height * scale;
    view = {
      x: Math.min(Math.max(next.x, 0), width - w), y: Math.min(Math.max(next.y, 0), height - h),
      width: w, height: h,
    };
    overlay.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    viewer.classList.toggle("zoomed", scale < 0.999);
  };
  const zoom = (factor, at) => {
    const center = at || { x: view.x + view.width / 2, y: view.y + view.height / 2 };
    const w = Math.min(Math.max(view.width / factor, width / 40), width);
    const ratio = w / view.width;
    setView({ x: center.x - (center.x - view.x) * ratio, y: center.y - (center.y - view.y) * ratio,
      width: w });
  };
  const place = (event) => {
    const matrix = overlay.getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x: point.x, y: point.y };
  };
  const unitsPerPixel = () => 1 / (overlay.getScreenCTM().a || 1);

  // ---- Corrections: removed and moved machine boxes by number, and added boxes.

  const number = (shape, name) => Number(shape.getAttribute(name));
  const boxOf = (shape) => {
    const x = number(shape, "x");
    const y = number(shape, "y");
    return [x, y, x + number(shape, "width"), y + number(shape, "height")];
  };
  const setBox = (shape, box) => {
    const round = (value) => Math.round(value * 10) / 10;
    shape.setAttribute("x", round(box[0]));
    shape.setAttribute("y", round(box[1]));
    shape.setAttribute("width", round(box[2] - box[0]));
    shape.setAttribute("height", round(box[3] - box[1]));
  };
  const machine = [...main.querySelectorAll("rect[data-object]")];
  const original = new Map(machine.map((shape) => [shape,
    shape.dataset.machine ? shape.dataset.machine.split(" ").map(Number) : boxOf(shape)]));
  let isCorrecting = false;
  const past = [];

  const isSame = (a, b) => a.every((value, place) => Math.abs(value - b[place]) < 0.06);
  const added = () => [...main.querySelectorAll("rect.added")];
  const removed = () => machine.filter((shape) => shape.classList.contains("removed"));
  const moved = () => machine.filter((shape) =>
    !shape.classList.contains("removed") && !isSame(boxOf(shape), original.get(shape)));
  const counted = () => [
    ...machine.filter((shape) => !shape.classList.contains("removed")), ...added(),
  ];

  // Machine boxes keep their numbers, and added ones follow in their order.
  const numbers = new Map([...main.querySelectorAll("text.number:not(.more)")].map((text) =>
    [text.dataset.number, text]));
  const setNumber = (text, shape) => {
    for (const name of ["x", "y"]) {
      const value = shape.getAttribute(name);
      if (text.getAttribute(name) !== value) text.setAttribute(name, value);
    }
  };
  const addNumber = (shape, at) => {
    const text = document.createElementNS(svgNamespace, "text");
    const value = String(Number(main.dataset.numbers) + at + 1);
    const [x, y, right, bottom] = boxOf(shape);
    const size = Math.max(Math.min(Number(main.dataset.numberSize),
      (right - x) / (0.62 * value.length + 0.4), 0.55 * (bottom - y)), 0.1);
    text.setAttribute("class", "number more");
    text.setAttribute("font-size", size);
    text.setAttribute("dx", 0.2 * size);
    text.setAttribute("dy", 0.95 * size);
    setNumber(text, shape);
    text.textContent = value;
    shape.dataset.title = `Object ${value}, added by a person`;
    main.append(text);
  };
  const refreshNumbers = () => {
    for (const shape of machine) {
      const text = numbers.get(shape.dataset.object);
      if (!text) continue;
      text.classList.toggle("out", shape.classList.contains("removed"));
      setNumber(text, shape);
    }
    main.querySelectorAll("text.more").forEach((text) => text.remove());
    added().forEach(addNumber);
  };

  const refresh = () => {
    refreshNumbers();
    const machineCount = Number(byID("count").dataset.machine);
    const total = machineCount - removed().length + added().length;
    const isChanged = removed().length + added().length + moved().length > 0;
    for (const shape of machine) {
      shape.classList.toggle("moved", !isSame(boxOf(shape), original.get(shape)));
    }
    const casing = main.querySelector(".casing");
    if (casing) {
      casing.setAttribute("d", counted().map((shape) => {
        const [a, b, c, d] = boxOf(shape);
        return `M${a} ${b}H${c}V${d}H${a}z`;
      }).join(""));
    }
    byID("count").textContent = String(total);
    byID("noun").textContent = total === 1 ? "object" : "objects";
    byID("main-count").textContent = String(total);
    // The interval is the machine's, and says nothing of a person's count.
    if (byID("interval")) byID("interval").hidden = isChanged;
    const words = isChanged
      ? `Corrected by a person; the machine counted ${machineCount}. Added ${added().length}, `
        + `taken out ${removed().length}, moved ${moved().length}.` : "";
    byID("corrected").hidden = !isChanged;
    // It speaks of the machine's count.
    const sureness = byID("sureness");
    if (sureness) sureness.hidden = isChanged;
    byID("corrected").textContent = words;
    const comparison = byID("comparison");
    if (comparison) comparison.textContent = words || `As the machine counted: ${machineCount}.`;
    byID("undo").disabled = past.length === 0;
  };

  const snapshot = () => ({
    machine: machine.map((shape) => [shape.classList.contains("removed"), boxOf(shape)]),
    added: added().map(boxOf),
  });
  const addBox = (box) => {
    const shape = document.createElementNS(svgNamespace, "rect");
    shape.setAttribute("class", "box added");
    setBox(shape, box);
    main.append(shape);
    return shape;
  };
  const restore = (state) => {
    machine.forEach((shape, place) => {
      shape.classList.toggle("removed", state.machine[place][0]);
      setBox(shape, state.machine[place][1]);
    });
    added().forEach((shape) => shape.remove());
    state.added.forEach(addBox);
    refresh();
  };
  const change = (before, words) => {
    past.push(before);
    refresh();
    readout.textContent = `${words} ${byID("count").textContent} ${byID("noun").textContent} now.`;
  };
  const toggle = (shape) => {
    const before = snapshot();
    if (shape.classList.contains("added")) {
      shape.remove();
      lit = null;
      change(before, "Taken out.");
    } else {
      const isOut = shape.classList.toggle("removed");
      change(before, isOut ? "Taken out." : "Put back.");
    }
  };
  const within = (box) => {
    const x = [box[0], box[2]].map((value) => Math.min(Math.max(value, 0), width));
    const y = [box[1], box[3]].map((value) => Math.min(Math.max(value, 0), height));
    return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
  };
  const shifted = (box, dx, dy) => {
    const x = Math.min(Math.max(dx, -box[0]), width - box[2]);
    const y = Math.min(Math.max(dy, -box[1]), height - box[3]);
    return [box[0] + x, box[1] + y, box[2] + x, box[3] + y];
  };

  // ---- Pointers.

  const fingers = new Map();
  let gesture = null;
  const isOurs = (shape) => shape && main.contains(shape) && shape.matches("rect");

  viewer.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    fingers.set(event.pointerId, event);
    const shape = event.target.closest("rect");
    if (fingers.size === 2) {
      if (gesture && gesture.before) restore(gesture.before);
      const [a, b] = [...fingers.values()];
      gesture = { kind: "pinch", distance: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) };
    } else if (isCorrecting && isOurs(shape)) {
      const box = boxOf(shape);
      const at = place(event);
      const reach = Math.min(14 * unitsPerPixel(), (box[2] - box[0]) / 3, (box[3] - box[1]) / 3);
      const isCorner = box[2] - at.x < reach && box[3] - at.y < reach;
      gesture = { kind: isCorner ? "size" : "move", shape, box, at, before: snapshot(), far: false };
    } else if (isCorrecting) {
      gesture = { kind: "draw", at: place(event), before: snapshot(), far: false, under: shape };
    } else {
      gesture = { kind: "pan", x: event.clientX, y: event.clientY, shape, far: false };
    }
    if (isCorrecting) event.preventDefault();
  });

  viewer.addEventListener("pointermove", (event) => {
    const shape = event.target.closest("rect");
    if (!gesture) {
      if (shape) light(shape);
      showTip(event, shape);
      return;
    }
    tip.hidden = true;
    const last = fingers.get(event.pointerId);
    if (!last) return;
    fingers.set(event.pointerId, event);
    if (gesture.kind === "pinch") {
      const [a, b] = [...fingers.values()];
      const distance = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      zoom(distance / (gesture.distance || 1),
        place({ clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 }));
      gesture.distance = distance;
      return;
    }
    if (gesture.kind === "pan") {
      gesture.far = gesture.far
        || Math.hypot(event.clientX - gesture.x, event.clientY - gesture.y) > 5;
      if (!viewer.classList.contains("zoomed") || !gesture.far) return;
      viewer.setPointerCapture(event.pointerId);
      const scale = unitsPerPixel();
      setView({ ...view, x: view.x - (event.clientX - last.clientX) * scale,
        y: view.y - (event.clientY - last.clientY) * scale });
      return;
    }
    const at = place(event);
    const dx = at.x - gesture.at.x;
    const dy = at.y - gesture.at.y;
    gesture.far = gesture.far || Math.hypot(dx, dy) > 6 * unitsPerPixel();
    if (!gesture.far) return;
    viewer.setPointerCapture(event.pointerId);
    if (gesture.kind === "draw") {
      const box = within([gesture.at.x, gesture.at.y, at.x, at.y]);
      if (gesture.shape) setBox(gesture.shape, box);
      else gesture.shape = addBox(box);
    } else if (gesture.kind === "move") {
      setBox(gesture.shape, shifted(gesture.box, dx, dy));
    } else {
      const [x, y] = gesture.box;
      setBox(gesture.shape, within([x, y, Math.max(gesture.box[2] + dx, x + 2),
        Math.max(gesture.box[3] + dy, y + 2)]));
    }
    refresh();
  });

  const endGesture = (event) => {
    if (!fingers.delete(event.pointerId) || !gesture) return;
    const done = gesture;
    gesture = null;
    if (event.type === "pointercancel") {
      if (done.before) restore(done.before);
      return;
    }
    if (done.kind === "pan" && !done.far && done.shape) {
      light(done.shape);
    } else if (done.kind === "draw" && done.shape) {
      const [x, y, right, bottom] = boxOf(done.shape);
      if (right - x < 3 || bottom - y < 3) restore(done.before);
      else change(done.before, "Added.");
    } else if (done.kind === "draw" && done.under) {
      // A tap on a box that is not counted counts it.
      light(addBox(boxOf(done.under)));
      change(done.before, "Added.");
    } else if (done.kind === "move" && !done.far) {
      light(done.shape);
      toggle(done.shape);
    } else if ((done.kind === "move" || done.kind === "size") && done.far) {
      change(done.before, done.kind === "move" ? "Moved." : "Resized.");
    }
  };
  viewer.addEventListener("pointerup", endGesture);
  viewer.addEventListener("pointercancel", endGesture);
  viewer.addEventListener("pointerleave", () => {
    tip.hidden = true;
  });
  viewer.addEventListener("wheel", (event) => {
    // The wheel alone scrolls the page.
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 300), place(event));
  }, { passive: false });
  viewer.addEventListener("dblclick", (event) => {
    if (!isCorrecting) zoom(2, place(event));
  });

  // ---- The keyboard.

  const step = (by) => {
    const shapes = [...overlay.querySelectorAll("rect")].filter((shape) =>
      getComputedStyle(shape.parentNode).display !== "none" && !shape.matches(".drop"))
      .sort((a, b) => (Number(a.dataset.object) || 1e9) - (Number(b.dataset.object) || 1e9));
    if (shapes.length === 0) return;
    const at = shapes.indexOf(lit);
    const next = shapes[at < 0 ? (by > 0 ? 0 : shapes.length - 1)
      : (at + by + shapes.length) % shapes.length];
    light(next);
    const box = boxOf(next);
    setView({ ...view, x: (box[0] + box[2] - view.width) / 2,
      y: (box[1] + box[3] - view.height) / 2 });
  };
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  viewer.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    const arrow = arrows[event.key];
    let isUsed = true;
    if (arrow && isCorrecting && (event.shiftKey || event.altKey) && isOurs(lit)) {
      const before = snapshot();
      const box = boxOf(lit);
      const pixels = Math.max(1, unitsPerPixel());
      const [dx, dy] = [arrow[0] * pixels, arrow[1] * pixels];
      setBox(lit, event.shiftKey ? shifted(box, dx, dy)
        : within([box[0], box[1], Math.max(box[2] + dx, box[0] + 2),
          Math.max(box[3] + dy, box[1] + 2)]));
      change(before, event.shiftKey ? "Moved." : "Resized.");
    } else if (arrow && !event.altKey) {
      setView({ ...view, x: view.x + arrow[0] * view.width / 8,
        y: view.y + arrow[1] * view.height / 8 });
    } else if (event.key === "+" || event.key === "=") {
      zoom(1.5);
    } else if (event.key === "-") {
      zoom(1 / 1.5);
    } else if (event.key === "0") {
      setView({ x: 0, y: 0, width });
    } else if (event.key === "n" || event.key === "N") {
      step(1);
    } else if (event.key === "p" || event.key === "P") {
      step(-1);
    } else if (isCorrecting && (event.key === "Delete" || event.key === "Backspace")) {
      if (isOurs(lit)) toggle(lit);
      else if (lit) readout.textContent = "This one is not counted. A counts it.";
    } else if (isCorrecting && (event.key === "a" || event.key === "A")) {
      const before = snapshot();
      if (lit && !isOurs(lit)) {
        light(addBox(boxOf(lit)));
      } else {
        const shown = lit ? boxOf(lit) : [0, 0, width / 10, width / 10];
        const [w, h] = [shown[2] - shown[0], shown[3] - shown[1]];
        const [x, y] = [view.x + (view.width - w) / 2, view.y + (view.height - h) / 2];
        light(addBox(within([x, y, x + w, y + h])));
      }
      change(before, "Added.");
    } else {
      isUsed = false;
    }
    if (isUsed) event.preventDefault();
  });

  // ---- Files.

  const name = byID("name").textContent;
  const stem = name.replace(/^.*[/\\]/, "").replace(/\.[^.]*$/, "").replace(/[^\w.-]/g, "_") || "count";
  const download = (text, ending, type) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = stem + ending;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const rounded = (box) => box.map((value) => Math.round(value * 10) / 10);
  const correction = () => JSON.stringify({
    tallyCorrection: 1, width, height, count: Number(byID("count").dataset.machine),
    removed: removed().map((shape) => rounded(original.get(shape))),
    moved: moved().map((shape) =>
      ({ from: rounded(original.get(shape)), to: rounded(boxOf(shape)) })),
    added: added().map((shape) => rounded(boxOf(shape))),
  });
  // The correction as it was last saved; leaving the page with another one asks first.
  let saved = correction();
  const setSaved = () => {
    saved = correction();
  };
  // Labels lie in the photo and have an area, as the labels of the command do.
  const labels = () => counted().map((shape) => ({
    box: rounded(within(boxOf(shape))),
    origin: shape.classList.contains("added") ? "person"
      : shape.classList.contains("moved") ? "moved" : "machine",
  })).filter(({ box }) => box[2] > box[0] && box[3] > box[1]);
  const saves = {
    save: () => {
      download(correction(), ".correction.json", "application/json");
      setSaved();
    },
    "save-coco": () => download(JSON.stringify({
      images: [{ id: 1, width, height, file_name: name }],
      categories: [{ id: 1, name: "object", supercategory: "" }],
      annotations: labels().map(({ box: [x, y, right, bottom], origin }, at) => ({
        id: at + 1, image_id: 1, category_id: 1, iscrowd: 0, origin,
        bbox: [x, y, ...rounded([right - x, bottom - y])], area: (right - x) * (bottom - y),
        segmentation: [[x, y, right, y, right, bottom, x, bottom]],
      })),
    }), ".coco.json", "application/json"),
    "save-yolo": () => download(labels().map(({ box: [x, y, right, bottom] }) =>
      `0 ${[(x + right) / 2 / width, (y + bottom) / 2 / height, (right - x) / width,
        (bottom - y) / height].map((share) => share.toFixed(9)).join(" ")}\n`).join(""),
    ".txt", "text/plain"),
    "save-csv": () => download(`left,top,right,bottom,origin\n${labels().map(({ box, origin }) =>
      `${box.join(",")},${origin}\n`).join("")}`, ".csv", "text/csv"),
  };
  for (const [id, save] of Object.entries(saves)) byID(id).addEventListener("click", save);

  const isBox = (box) => Array.isArray(box) && box.length === 4 && box.every(Number.isFinite)
    && box[0] < box[2] && box[1] < box[3];
  const apply = (file) => {
    if (file.tallyCorrection !== 1 || file.width !== width || file.height !== height) {
      throw new Error("it is of another photo, or no correction");
    }
    const [out, moves, more] = [file.removed, file.moved, file.added];
    if (!out.every(isBox) || !more.every(isBox)
      || !moves.every((move) => isBox(move.from) && isBox(move.to))) {
      throw new Error("a box of it is none");
    }
    const state = { machine: machine.map((shape) => [false, original.get(shape)]), added: more };
    const taken = new Set();
    const find = (box) => {
      const at = machine.findIndex((shape, place) => !taken.has(place)
        && original.get(shape).every((value, edge) => Math.abs(value - box[edge]) <= 0.5));
      if (at < 0) throw new Error("it is of another count");
      taken.add(at);
      return at;
    };
    for (const box of out) state.machine[find(box)][0] = true;
    for (const move of moves) state.machine[find(move.from)][1] = move.to;
    const before = snapshot();
    restore(state);
    change(before, "Correction opened.");
    setSaved();
  };
  byID("open").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    try {
      apply(JSON.parse(await file.text()));
    } catch (error) {
      readout.textContent = `${file.name} cannot be used: ${error.message}.`;
    }
    event.target.value = "";
  });
  addEventListener("beforeunload", (event) => {
    if (correction() !== saved) event.preventDefault();
  });

  // ---- Everything is there: show it.

  byID("zoom-in").addEventListener("click", () => zoom(1.5));
  byID("zoom-out").addEventListener("click", () => zoom(1 / 1.5));
  byID("zoom-reset").addEventListener("click", () => setView({ x: 0, y: 0, width }));
  byID("undo").addEventListener("click", () => {
    const before = past.pop();
    if (before) restore(before);
  });
  const setCorrecting = (isOn) => {
    isCorrecting = isOn;
    byID("correct").setAttribute("aria-pressed", String(isOn));
    viewer.classList.toggle("correcting", isOn);
    byID("correct-help").hidden = !isOn;
  };
  byID("correct").addEventListener("click", () => setCorrecting(!isCorrecting));
  viewer.classList.add("script");
  viewer.tabIndex = 0;
  viewer.setAttribute("role", "application");
  viewer.setAttribute("aria-label", "Photo. Plus and minus zoom, 0 shows all, arrows move, N and P "
    + "go from box to box.");
  byID("zoom-tools").hidden = false;
  byID("correct-tools").hidden = false;
  byID("undo").disabled = true;
  return {
    byID, viewer, overlay, readout, width, height, name, place, unitsPerPixel, boxOf, setBox, within,
    shifted, light, setCorrecting, correction, setSaved, lit: () => lit, shown: () => view,
  };
})();
