"use strict";
// The start page of `tally serve`: photos go to the server, two at a time, and its counts are listed.
(() => {
  const byID = (id) => document.getElementById(id);
  const mostBytes = 64e6;
  const mostAtOnce = 2;
  const mostTries = 20;
  const status = byID("status");
  const queue = byID("queue");
  const list = byID("counts");
  const template = byID("template");

  const element = (tag, attributes = {}, ...contents) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...contents);
    return made;
  };
  const button = (text, label, action) => {
    const made = element("button", { type: "button", "aria-label": label }, text);
    made.addEventListener("click", action);
    return made;
  };
  const sentence = (text) => {
    const words = String(text).trim();
    return words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");
  };
  // Groups of thousands as in a count's page: a space that does not break a line.
  const grouped = (number) => (Math.abs(number) < 10000 ? String(number)
    : String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f"));
  const objects = (count) => `${grouped(count)} ${count === 1 ? "object" : "objects"}`;
  const range = (interval) => (interval ? `(${grouped(interval[0])} to ${grouped(interval[1])})` : "");
  const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB`
    : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`);

  // ---- The server, and what to do if it is gone.

  const unknown = "The server does not know this browser. Open the address that “tally serve” printed.";
  const silent = "The server does not answer. Start “tally serve” again if it has ended, then try again.";
  let isGone = false;
  const setGone = (words) => {
    isGone = words !== "";
    // The words follow the box, so that a screen reader sees a change in it.
    byID("gone").hidden = !isGone;
    if (byID("gone-text").textContent !== words) byID("gone-text").textContent = words;
  };
  // What went wrong, without the name of the photo, which is beside it.
  const words = (code, answer, name = "") => {
    if (code === 401) return unknown;
    const text = String(answer.error || `the server answered with the code ${code}`);
    return sentence(name && text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text);
  };
  const ask = async (method, path) => {
    let response;
    try {
      response = await fetch(path, { method });
    } catch {
      setGone(silent);
      throw new Error(silent);
    }
    const answer = await response.json().catch(() => ({}));
    if (response.status === 401) setGone(unknown);
    else setGone("");
    if (response.ok) return answer;
    const error = new Error(words(response.status, answer));
    error.code = response.status;
    throw error;
  };

  // ---- The counts.

  // By their ids: the entries in the page, and hints, which only the answer to a photo has.
  const entries = new Map();
  const hints = new Map();
  const when = (time) => {
    const date = new Date(time);
    if (Number.isNaN(date.getTime())) return "";
    const isToday = date.toDateString() === new Date().toDateString();
    return isToday ? date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
      : date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  };
  const entry = (count) => {
    const picture = element("img", { src: count.thumbnail, alt: "", loading: "lazy" });
    picture.addEventListener("error", () => picture.remove());
    const about = [`${count.width} × ${count.height} pixels`, when(count.time)];
    if (count.isCorrected) about.push("corrected by a person");
    const text = element("div", {},
      element("h3", {}, element("bdi", {}, count.name)),
      element("p", { class: "count" }, objects(count.count), " ",
        element("span", { class: "interval" }, count.isCorrected ? "" : range(count.interval))),
      element("p", { class: "about" },
        about.filter(Boolean).map((part) => part.replace(/ /g, "\u00a0")).join(" · ")));
    if (hints.has(count.id)) text.append(element("p", { class: "hint" }, hints.get(count.id)));
    return element("li", { "data-count": count.id }, element("div", { class: "picture" }, picture), text,
      element("div", { class: "actions" },
        element("a", { class: "open", href: count.page, "aria-label": `Open ${count.name}` }, "Open"),
        button("Forget", `Forget ${count.name}`, () => forget(count))));
  };
  // Puts the counts into this order, and leaves what is there already, so that the focus stays.
  const show = (counts) => {
    const ids = new Set(counts.map((count) => count.id));
    for (const [id, { item }] of entries) {
      if (ids.has(id)) continue;
      if (item.contains(document.activeElement)) byID("counts-title").focus();
      item.remove();
      entries.delete(id);
    }
    counts.forEach((count, at) => {
      const text = JSON.stringify(count);
      const old = entries.get(count.id);
      let item = old?.item;
      if (old?.text !== text) {
        item = entry(count);
        if (old) {
          const focused = [...old.item.querySelectorAll("a, button")].indexOf(document.activeElement);
          old.item.replaceWith(item);
          if (focused >= 0) item.querySelectorAll("a, button")[focused].focus();
        }
        entries.set(count.id, { item, text });
      }
      if (list.children[at] !== item) list.insertBefore(item, list.children[at] ?? null);
    });
    byID("empty").hidden = counts.length > 0;
  };
  let newest = 0;
  // Whether the server answered.
  const refresh = async () => {
    newest += 1;
    const mine = newest;
    try {
      // One after the other, so that an error of the first is the last word.
      const { counts } = await ask("GET", "/counts");
      const { templates } = await ask("GET", "/templates");
      // An answer that a newer one has overtaken says nothing more.
      if (mine !== newest) return true;
      show(counts);
      const chosen = template.value;
      template.replaceChildren(template.options[0],
        ...templates.map((name) => element("option", { value: name }, `objects like ${name}`)));
      template.value = templates.includes(chosen) ? chosen : "";
      byID("template-choice").hidden = templates.length === 0;
      return true;
    } catch (error) {
      if (!isGone) status.textContent = error.message;
      return false;
    }
  };
  const forget = async (count) => {
    if (count.isCorrected && !confirm(`Forget ${count.name} and its correction?`)) return;
    try {
      await ask("DELETE", `/counts/${encodeURIComponent(count.id)}`);
    } catch (error) {
      // One that is not there is forgotten already.
      if (error.code !== 404) {
        status.textContent = `${count.name}: ${error.message}`;
        return;
      }
    }
    status.textContent = `${count.name} is forgotten.`;
    const item = entries.get(count.id)?.item;
    if (item?.contains(document.activeElement)) {
      const next = item.nextElementSibling ?? item.previousElementSibling;
      (next?.querySelector("button") ?? byID("choose")).focus();
    }
    await refresh();
  };

  // ---- The queue. A photo is waiting, sending, counting or failed; one that is counted leaves it.

  const photos = [];
  const atWork = (photo) => photo.state === "sending" || photo.state === "counting";
  const setState = (photo, state, text) => {
    photo.state = state;
    photo.line.textContent = text;
    photo.item.classList.toggle("failed", state === "failed");
    photo.bar.hidden = !atWork(photo);
    photo.retry.hidden = state !== "failed";
    const name = state === "failed" ? "Remove" : "Cancel";
    photo.cancel.textContent = name;
    photo.cancel.setAttribute("aria-label", `${name} ${photo.name}`);
  };
  const showQueue = () => {
    byID("queue-section").hidden = photos.length === 0;
    byID("cancel-all").hidden = photos.length < 2;
  };
  // Where the focus goes if it was in this photo's entry.
  const leave = (photo, to) => {
    const hadFocus = photo.item.contains(document.activeElement);
    const next = photo.item.nextElementSibling ?? photo.item.previousElementSibling;
    photos.splice(photos.indexOf(photo), 1);
    photo.item.remove();
    showQueue();
    if (hadFocus) (to ?? next?.querySelector(".actions button:last-child") ?? byID("choose")).focus();
  };
  const fail = (photo, text) => {
    const hadFocus = photo.item.contains(document.activeElement);
    setState(photo, "failed", text);
    if (hadFocus) photo.retry.focus();
    status.textContent = `${photo.name}: ${text}`;
  };
  const cancel = (photo) => {
    photo.request?.abort();
    clearTimeout(photo.timer);
    const isFailed = photo.state === "failed";
    leave(photo);
    status.textContent = isFailed ? `${photo.name} is removed.` : `${photo.name} is cancelled.`;
    start();
  };
  const counted = async (photo, answer) => {
    if (answer.hint) hints.set(answer.id, sentence(answer.hint));
    status.textContent = `${photo.name}: ${objects(answer.count)} ${range(answer.countInterval)}`.trim();
    photo.state = "counted";
    start();
    await refresh();
    leave(photo, entries.get(answer.id)?.item.querySelector("a"));
  };
  const wait = (photo, seconds) => {
    photo.tries += 1;
    setState(photo, "waiting", `The server is busy. It is asked again in ${seconds} s.`);
    photo.isHeld = true;
    photo.timer = setTimeout(() => {
      photo.isHeld = false;
      start();
    }, seconds * 1000);
  };
  const send = (photo) => {
    const request = new XMLHttpRequest();
    photo.request = request;
    const query = new URLSearchParams({ name: photo.name });
    if (photo.template) query.set("template", photo.template);
    request.open("POST", `/count?${query}`);
    request.responseType = "json";
    setState(photo, "sending", "Sending…");
    photo.bar.value = 0;
    request.upload.addEventListener("progress", (event) => {
      if (!event.lengthComputable || photo.state !== "sending") return;
      const percent = Math.floor(100 * event.loaded / event.total);
      photo.bar.value = percent;
      photo.line.textContent = `Sending: ${percent} %`;
    });
    request.upload.addEventListener("load", () => {
      setState(photo, "counting", "Counting…");
      photo.bar.removeAttribute("value");
    });
    request.addEventListener("load", () => {
      const answer = request.response ?? {};
      const code = request.status;
      if (code === 201) {
        counted(photo, answer);
        return;
      }
      if ((code === 429 || code === 503) && photo.tries < mostTries) {
        wait(photo, Math.min(Math.max(Number(request.getResponseHeader("Retry-After")) || 2, 1), 60));
      } else {
        if (code === 401) setGone(unknown);
        fail(photo, words(code, answer, photo.name));
      }
      start();
    });
    request.addEventListener("error", async () => {
      setState(photo, "failed", "The connection broke off.");
      const isThere = await refresh();
      if (photos.includes(photo) && photo.state === "failed") {
        fail(photo, isThere ? "The photo could not be sent: the connection broke off, or the file cannot be read."
          : silent);
        photo.isCutOff = !isThere;
      }
      start();
    });
    request.send(photo.file);
  };
  const start = () => {
    if (isGone) return;
    for (const photo of photos) {
      if (photos.filter(atWork).length >= mostAtOnce) return;
      if (photo.state === "waiting" && !photo.isHeld) send(photo);
    }
  };
  const add = (files) => {
    for (const file of files) {
      const name = file.name || "photo";
      const photo = { file, name, template: template.value, tries: 0, isHeld: false };
      photo.line = element("p", { class: "state" });
      photo.bar = element("progress", { max: "100", "aria-label": `Progress of ${name}` });
      photo.retry = button("Try again", `Try again ${name}`, () => {
        photo.tries = 0;
        setState(photo, "waiting", "Waiting");
        photo.cancel.focus();
        if (isGone) again();
        else start();
      });
      photo.cancel = button("Cancel", `Cancel ${name}`, () => cancel(photo));
      const about = [size(file.size), photo.template && `like ${photo.template}`];
      photo.item = element("li", {},
        element("div", {}, element("h3", {}, element("bdi", {}, name), " ",
          element("span", { class: "about" }, about.filter(Boolean).join(", "))), photo.bar, photo.line),
        element("div", { class: "actions" }, photo.retry, photo.cancel));
      setState(photo, "waiting", "Waiting");
      photos.push(photo);
      queue.append(photo.item);
      if (file.size > mostBytes) {
        fail(photo, `It has ${size(file.size)}; the server takes at most ${mostBytes / 1e6} MB.`);
        photo.retry.hidden = true;
      }
    }
    showQueue();
    start();
  };
  const again = async () => {
    status.textContent = "Asking the server…";
    if (!await refresh()) {
      status.textContent = "";
      return;
    }
    status.textContent = "The server answers.";
    for (const photo of photos.filter((one) => one.isCutOff && one.state === "failed")) {
      photo.isCutOff = false;
      setState(photo, "waiting", "Waiting");
    }
    start();
  };

  // ---- Where photos come from: two file choosers, dropping, pasting.

  for (const [opener, chooser] of [["choose", "files"], ["take", "camera"]]) {
    byID(opener).addEventListener("click", () => byID(chooser).click());
    byID(chooser).addEventListener("change", (event) => {
      add([...event.target.files]);
      event.target.value = "";
    });
  }
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const zone = byID("zone");
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    zone.classList.add("over");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) zone.classList.remove("over");
  });
  addEventListener("drop", (event) => {
    zone.classList.remove("over");
    if (!hasFiles(event)) return;
    event.preventDefault();
    // A folder comes as a file that cannot be read.
    const items = [...event.dataTransfer.items].filter((item) => item.kind === "file");
    const files = items.filter((item) => !item.webkitGetAsEntry?.()?.isDirectory)
      .map((item) => item.getAsFile()).filter(Boolean);
    if (files.length < items.length) status.textContent = "Folders are left out: drop their photos.";
    add(files);
  });
  addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  });

  byID("cancel-all").addEventListener("click", () => {
    const number = photos.length;
    for (const photo of [...photos]) {
      photo.request?.abort();
      clearTimeout(photo.timer);
      leave(photo);
    }
    byID("choose").focus();
    status.textContent = `${number} photos are cancelled.`;
  });
  byID("gone-retry").addEventListener("click", async () => {
    await again();
    if (!isGone) byID("choose").focus();
  });
  addEventListener("beforeunload", (event) => {
    if (photos.some((photo) => photo.state !== "failed")) event.preventDefault();
  });
  // Counts change in other tabs and on other machines.
  addEventListener("pageshow", refresh);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) refresh();
  });
  byID("add").hidden = false;
})();
