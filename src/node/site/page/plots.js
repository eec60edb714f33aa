/**
 * Draws each figure of the page with plotly, in the page's own colours. Runs in the browser, from the page's folder
 * alone; without it the figure's picture stays. A figure's ink, grid and paper follow the page (light, dark, print);
 * the colours of its data stay as they are.
 */
(() => {
  const OKABE_ITO = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442"];
  const CLEAR = "rgba(0,0,0,0)";

  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  /** A deep copy in which every font of the figure's own ink has the page's ink. */
  const inked = (value, from, to) => {
    if (Array.isArray(value)) return value.map((item) => inked(item, from, to));
    if (value === null || typeof value !== "object") return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inked(item, from, to)]));
    for (const key of Object.keys(copy)) {
      if (/font$/.test(key) && copy[key]?.color === from && from !== undefined) copy[key].color = to;
    }
    return copy;
  };

  const themed = ({ data, layout = {} }) => {
    const ink = color("--ink");
    const line = color("--line");
    const own = layout.font?.color;
    const themedLayout = inked(layout, own, ink);
    themedLayout.font = { family: getComputedStyle(document.body).fontFamily, ...themedLayout.font, color: ink };
    themedLayout.paper_bgcolor = CLEAR;
    themedLayout.plot_bgcolor = CLEAR;
    themedLayout.colorway ??= OKABE_ITO;
    for (const name of new Set(["xaxis", "yaxis", ...Object.keys(layout).filter((key) => /^[xy]axis\d*$/.test(key))])) {
      themedLayout[name] = { ...themedLayout[name], gridcolor: line, linecolor: color("--faint"), zerolinecolor: line };
    }
    // A figure whose marks are sized in pixels keeps its width; any other takes the page's.
    if (!layout.meta?.fixedWidth) delete themedLayout.width;
    return { data: inked(data, own, ink), layout: themedLayout };
  };

  // A notebook's own HTML may call something else a plot.
  const read = (figure) => {
    const area = figure.querySelector(".plot-area");
    const text = figure.querySelector("script")?.textContent;
    return area === null || text === undefined ? [] : [{ area, spec: JSON.parse(text) }];
  };
  let figures = [...document.querySelectorAll("figure.plot")].flatMap(read);

  /** Lets the style sheet shrink a picture to a sheet of paper. */
  const addViewBoxes = (area) => {
    for (const picture of area.querySelectorAll(".main-svg")) {
      picture.setAttribute("viewBox", `0 0 ${picture.getAttribute("width")} ${picture.getAttribute("height")}`);
    }
  };

  const drawOne = async ({ area, spec }) => {
    const { data, layout } = themed(spec);
    const first = area.querySelector(".main-svg") === null;
    if (first) area.replaceChildren();
    const config = { responsive: !spec.layout?.meta?.fixedWidth, displaylogo: false, showSendToCloud: false };
    await Plotly.react(area, data, layout, config);
    addViewBoxes(area);
    // Drawn again for a window of another size, too.
    if (first) area.on("plotly_afterplot", () => addViewBoxes(area));
  };
  const draw = () => Promise.all(figures.map(drawOne));

  // A cell that runs on the page shows others in place of those before.
  document.addEventListener("figure-added", ({ target }) => {
    for (const { area } of figures.filter(({ area }) => !area.isConnected)) Plotly.purge(area);
    const added = read(target);
    figures = [...figures.filter(({ area }) => area.isConnected), ...added];
    added.map(drawOne);
  });

  draw().then(() => document.documentElement.setAttribute("data-plots", String(figures.length)));
  for (const query of ["(prefers-color-scheme: dark)", "print"]) {
    matchMedia(query).addEventListener("change", draw);
  }
})();
