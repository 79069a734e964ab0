"use strict";
// What a count's page can do if `tally serve` shows it: count again, keep a correction, the history and templates.
(() => {
  const element = (tag, attributes = {}, ...contents) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...contents);
    return made;
  };
  document.body.prepend(element("nav", { "aria-label": "Counts" },
    element("a", { href: "/", id: "all-counts" }, "All counts")));
  if (!page) return;
  const { byID } = page;

  // ---- The server, whose errors are sentences.

  const address = location.pathname.replace(/\/$/, "");
  const ask = async (method, path, body) => {
    let response;
    try {
      response = await fetch(address + path, {
        method, body, headers: body ? { "Content-Type": "application/json" } : {},
      });
    } catch {
      throw new Error("The server does not answer. Start “tally serve” again if it has ended. What it held "
        + "in memory is then gone: save the correction to a file.");
    }
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    const error = new Error(response.status === 401
      ? "The server does not know this browser any more. Open the address that “tally serve” printed."
      : sentence(answer.error || `The server answered with the code ${response.status}`));
    error.status = response.status;
    throw error;
  };
  const sentence = (text) => {
    const words = String(text).trim();
    return words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");
  };
  // One request at a time. The button stays in the order of Tab, and says what is going on.
  let isBusy = false;
  const run = async (button, status, waiting, work) => {
    if (isBusy) return;
    isBusy = true;
    const text = button.textContent;
    button.textContent = waiting;
    button.setAttribute("aria-disabled", "true");
    status.textContent = waiting;
    try {
      status.textContent = await work();
    } catch (error) {
      status.textContent = error.message;
      status.classList.add("failed");
    }
    button.textContent = text;
    button.removeAttribute("aria-disabled");
    isBusy = false;
  };
  const line = (id) => element("p", { id, class: "readout", role: "status" });
  const press = (button, status, waiting, work) => button.addEventListener("click", () => {
    if (!isBusy) status.classList.remove("failed");
    run(button, status, waiting, work);
  });

  // ---- The correction. What the page was made with is what the server has.

  let kept = page.correction();
  const isKept = () => page.correction() === kept;
  const keep = async () => {
    const text = page.correction();
    if (text === kept) return null;
    const answer = await ask("PUT", "/correction", text);
    kept = text;
    if (page.correction() === text) page.setSaved();
    return answer;
  };
  const objects = (count) => `${count} ${count === 1 ? "object" : "objects"}`;

  const keepButton = element("button", { type: "button", id: "keep" }, "Keep the correction");
  const historyButton = element("button", { type: "button", id: "history" }, "Save to the history");
  const field = element("input", {
    type: "text", id: "template-name", maxlength: "64", autocomplete: "off", autocapitalize: "none",
    spellcheck: "false", "aria-describedby": "template-note",
  });
  const makeButton = element("button", { type: "submit", id: "make-template" }, "Make a template");
  const replaceButton = element("button", { type: "button", id: "replace-template", hidden: "" },
    "Replace the old one");
  const form = element("form", { class: "tools", id: "template-form", novalidate: "" },
    element("label", { for: "template-name" }, "Name of a template"), field, makeButton, replaceButton);
  const status = line("served-status");
  byID("correct-help").after(element("section", { class: "panel", "aria-labelledby": "served-title" },
    element("h3", { id: "served-title" }, "On the server"),
    element("p", { class: "note" }, "The server keeps the photo and its count in memory until it ends or "
      + "needs the room. The history and templates stay."),
    element("div", { class: "tools", role: "group", "aria-label": "Keep the count" },
      keepButton, historyButton),
    form,
    element("p", { class: "note", id: "template-note" }, "A template counts such objects in other photos. "
      + "Its name has letters, digits, “.”, “-” and “_”."),
    status));

  press(keepButton, status, "Keeping…", async () => {
    const answer = await keep();
    if (!answer) return "There is no change to keep.";
    return `Kept: ${objects(answer.count)}; the machine counted ${answer.machineCount}.`;
  });
  // The correction that the history has; null if this page saved none.
  let recorded = null;
  press(historyButton, status, "Saving…", async () => {
    if (recorded === page.correction()) return "This count is in the history already.";
    await keep();
    const text = kept;
    const answer = await ask("POST", "/history");
    recorded = text;
    return `Saved to the history: ${answer.history}.`;
  });

  const template = async (name, isReplacing) => {
    await keep();
    try {
      const answer = await ask("POST",
        `/template?name=${encodeURIComponent(name)}${isReplacing ? "&replace=true" : ""}`);
      replaceButton.hidden = true;
      return `The template “${answer.name}” was made from ${objects(answer.objects)}. `
        + "The page of all counts offers it for the next photos.";
    } catch (error) {
      if (error.status !== 409) throw error;
      replaceButton.hidden = false;
      throw new Error(`There is a template “${name}” already. Replace it, or choose another name.`);
    }
  };
  const isName = (name) => /^[A-Za-z0-9][\w.-]{0,63}$/.test(name) && !/\.json$/i.test(name);
  const make = (button, isReplacing) => {
    if (isBusy) return;
    const name = field.value.trim();
    const isRight = isName(name);
    field.removeAttribute("aria-invalid");
    status.classList.toggle("failed", !isRight);
    if (isRight) {
      run(button, status, "Making the template…", async () => {
        const words = await template(name, isReplacing);
        // A button that is gone must not take the focus with it.
        if (isReplacing) makeButton.focus();
        return words;
      });
      return;
    }
    field.setAttribute("aria-invalid", "true");
    field.focus();
    status.textContent = name === "" ? "Write the name of the template first."
      : "A template's name begins with a letter or a digit, and has letters, digits, “.”, “-” and “_”, "
        + "at most 64. It does not end in “.json”.";
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    make(makeButton, false);
  });
  replaceButton.addEventListener("click", () => make(replaceButton, true));
  field.addEventListener("input", () => {
    replaceButton.hidden = true;
    field.removeAttribute("aria-invalid");
  });

  // ---- Count the same photo again, with what was drawn.

  const againButton = element("button", { type: "button", id: "count-again" }, "Count again");
  const againStatus = line("again-status");
  byID("guide-list").after(element("div", { class: "tools" }, againButton), againStatus);
  press(againButton, againStatus, "Counting…", async () => {
    await keep();
    const marks = page.marks();
    const answer = await ask("POST", `/count?${new URLSearchParams(marks)}`);
    location.assign(answer.page);
    return "Counted. Its page opens.";
  });
})();
