/**
 * Follows the run that writes these pages: `npm start` shows them from the committed outputs first and runs each notebook
 * then. On the front page it also keeps which pages the reader has ticked off, in the browser alone.
 */
(() => {
  const MILLISECONDS_BETWEEN_LOOKS = 1500;
  const line = document.querySelector(".run-state");
  const root = line?.dataset.page === "" || document.querySelector(".course") ? "" : "../";

  /** The line on a page about its own notebook, or on the front page about all of them. */
  const sentence = ({ ended, pages }, page) => {
    const own = pages[page];
    if (page !== "" && own === undefined) return "";
    if (page !== "") {
      if (own.state === "running") return `This page is being run: cell ${own.cell} of ${own.of}.`;
      if (own.state === "waiting") return "Shown as it is kept in the repository; it will be run.";
      return "";
    }
    const all = Object.entries(pages);
    const ran = all.filter(([, { state }]) => state === "ran" || state === "failed").length;
    const running = all
      .filter(([, { state }]) => state === "running")
      .map(([name, { cell, of }]) => `${name} (${cell} of ${of})`);
    if (ended) return "";
    return `${ran} of ${all.length} pages have been run${running.length === 0 ? "" : `; running: ${running.join(", ")}`}.`;
  };

  const offerReload = (text) => {
    const again = document.createElement("a");
    again.href = location.href;
    again.textContent = text;
    again.addEventListener("click", (event) => {
      event.preventDefault();
      location.reload();
    });
    line.replaceChildren(again);
  };

  const follow = async () => {
    let run;
    try {
      run = await (await fetch(`${root}progress.json`)).json();
    } catch {
      line.textContent = "The run that wrote these pages has ended; npm start shows them anew.";
      return;
    }
    const text = sentence(run, line.dataset.page);
    if (text === "") {
      offerReload("This page has been written anew: show it.");
      return;
    }
    line.textContent = text;
    setTimeout(follow, MILLISECONDS_BETWEEN_LOOKS);
  };
  if (line !== null && location.protocol !== "file:") follow();

  const DONE = "warplab-done";
  /** What the browser keeps; a browser may keep nothing. */
  const kept = (key, otherwise) => {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? otherwise;
    } catch {
      return otherwise;
    }
  };
  const keep = (key, value) => {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // The tick stays until the page is closed.
    }
  };
  const points = kept("warplab-points", {});
  const links = [...document.querySelectorAll(".course li > strong > a, .course li > p > strong > a")];
  const pages = links.map((link) => link.getAttribute("href"));

  /** How far the reader has come, and where to go on: the page that was left, or the first one that is not done. */
  const tellProgress = () => {
    const line = document.querySelector(".progress");
    if (line === null) return;
    const done = new Set(kept(DONE, []));
    const last = kept("warplab-last", null);
    const begun = last !== null || done.size > 0;
    const next = pages.includes(last?.href) && !done.has(last.href) ? last.href : pages.find((page) => !done.has(page));
    const link = document.createElement("a");
    link.href = next ?? pages[0] ?? "";
    link.textContent = `${begun ? "Continue with" : "Begin with"} ${links[pages.indexOf(next)]?.textContent ?? ""}`;
    const count = pages.filter((page) => done.has(page)).length;
    const bar = document.createElement("progress");
    bar.max = pages.length;
    bar.value = count;
    bar.setAttribute("aria-label", "Pages done");
    const words = next === undefined ? `All ${count} pages are done.` : `${count} of ${pages.length} pages are done.`;
    line.replaceChildren(...(next === undefined ? [] : [link, " "]), ...(begun ? [bar, ` ${words}`] : []));
    line.hidden = false;
  };

  for (const [index, link] of links.entries()) {
    const page = pages[index];
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = kept(DONE, []).includes(page);
    box.setAttribute("aria-label", `${link.textContent}: done`);
    box.addEventListener("change", () => {
      const others = kept(DONE, []).filter((each) => each !== page);
      keep(DONE, box.checked ? [...others, page] : others);
      tellProgress();
    });
    link.before(box, " ");
    // Points of the page's exercise, as its check has left them in this browser.
    const name = decodeURIComponent(page).replace(/^.*\//, "");
    const own = Object.values(points).find(({ exercise }) => name.startsWith(`${exercise}-`));
    if (own !== undefined) link.parentElement.after(` ${own.points} of ${own.outOf} points`);
  }
  tellProgress();
})();
