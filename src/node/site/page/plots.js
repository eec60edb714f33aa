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
    return { data: inked(data, own, ink), layout: themedLayout };
  };

  const pen = document.createElement("canvas").getContext("2d");
  /** Pixels of a text in the page's font. */
  const measured = (text, size, family, weight = 400) => {
    pen.font = `${weight} ${size}px ${family}`;
    return pen.measureText(text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))).width;
  };

  /** The text in lines of at most `width` pixels; plotly's own mark ends each. */
  const wrapped = (text, width, size, family, weight) => {
    const lines = [];
    for (const word of (text ?? "").split(/<br>|\s+/).filter((each) => each !== "")) {
      const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
      if (lines.length > 0 && measured(longer, size, family, weight) <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  };

  /** Labels along the x axis that touch no neighbour; a tick without a label stays. */
  const apart = ({ tickvals = [], ticktext = [], range = [0, 1], type, tickfont }, width, family) => {
    const at = (value) => (type === "category" ? tickvals.indexOf(value) : type === "log" ? Math.log10(value) : value);
    let free = Number.NEGATIVE_INFINITY;
    return tickvals.map((value, index) => {
      const texts = String(ticktext[index] ?? "").split("<br>");
      const half = Math.max(...texts.map((text) => measured(text, tickfont?.size ?? 13, family))) / 2;
      const x = ((at(value) - range[0]) / (range[1] - range[0])) * width;
      if (x - half < free + 4) return "";
      free = x + half;
      return ticktext[index];
    });
  };

  /** Texts above the plot, moved and broken such that they stay within the figure. */
  const annotated = ({ annotations = [], xaxis: { range }, font }, left, plot, width) =>
    annotations.map((note) => {
      const size = note.font?.size ?? font.size;
      const lines = wrapped(note.text, width - 2 * EDGE, size, font.family);
      const half = Math.max(...lines.map((line) => measured(line, size, font.family))) / 2 + 4;
      const at = left + ((note.x - range[0]) / (range[1] - range[0])) * plot;
      const middle = note.xanchor === "left" ? at + half : note.xanchor === "right" ? at - half : at;
      const within = Math.max(half, Math.min(width - half, middle));
      return { ...note, text: lines.join("<br>"), xanchor: "center", xshift: within - at };
    });

  /** Pixels right of the plot for the values at the ends of bars; `room` holds both. */
  const beyondBars = (data, { xaxis: { range }, font }, room) => {
    const most = data.flatMap(({ type, x, text, textposition, textfont }) =>
      type !== "bar"
        ? []
        : x.map((value, index) => {
            if (textposition?.[index] !== "outside" || value === null) return 0;
            const share = (value - range[0]) / (range[1] - range[0]);
            const width = measured(text[index], textfont?.size ?? font.size, font.family) + 10;
            // Of a plot of p pixels the bar takes p * share, and p + margin = room.
            return share >= 1 ? width : Math.max(0, (width - room * (1 - share)) / share);
          }),
    );
    return Math.ceil(Math.max(0, ...most));
  };

  const EDGE = 16;
  /** Pixels above the title. */
  const TOP = 18;
  const LINE = { title: 24, subtitle: 19, legend: 24, tick: 17 };
  /** A row of plotly's legend: its sign, its text and the gap behind. */
  const SIGN = 40;

  /**
   * The layout for so many pixels, of which a reader sees `shown` at a time. Texts wrap, and the margins hold them and the
   * legend.
   */
  const fitted = ({ data, layout }, width, shown) => {
    const { title, margin, font, xaxis, yaxis } = layout;
    if (title?.subtitle === undefined || margin === undefined || yaxis?.ticktext === undefined) return layout;
    const { family } = font;
    const most = shown - 2 * EDGE;
    const titles = wrapped(title.text, most, title.font.size, family, 700);
    const subtitles = wrapped(title.subtitle.text, most, title.subtitle.font.size, family);
    // Names of categories break where they would take more than a third of the width.
    const isNamed = yaxis.type === "category";
    const names = yaxis.ticktext.map((text) =>
      isNamed && margin.l > width / 2.6 ? wrapped(text, width / 3.6, yaxis.tickfont.size, family).join("<br>") : text,
    );
    const widest = Math.max(
      0,
      ...names.flatMap((text) => String(text).split("<br>")).map((text) => measured(text, yaxis.tickfont.size, family)),
    );
    const l = Math.ceil(EDGE + (yaxis.title?.text ? LINE.tick + 8 : 0) + widest + 14);
    const r = Math.min(width / 4, Math.max(margin.r, beyondBars(data, layout, width - l)));
    const plot = width - l - r;
    const entries = layout.showlegend ? data.filter((trace) => trace.showlegend !== false) : [];
    const sizes = entries.map(({ name }) => SIGN + measured(name, layout.legend.font.size, family));
    const whole = sizes.reduce((sum, size) => sum + size, 0);
    // The legend may go as far left as the figure does.
    const room = shown - 2 * EDGE;
    const columns = Math.max(1, Math.floor(room / Math.max(1, ...sizes)));
    const rows = entries.length === 0 ? 0 : whole <= room ? 1 : Math.ceil(entries.length / columns);
    const notes = annotated(layout, l, plot, width);
    const above = Math.max(0, ...notes.map(({ text }) => 7 + LINE.tick * text.split("<br>").length));
    const head = TOP + titles.length * LINE.title + subtitles.length * LINE.subtitle;
    const t = head + rows * LINE.legend + above + 16;
    const ticks = apart(xaxis, plot, family);
    const middle = l + plot / 2;
    const below = wrapped(
      xaxis.title?.text,
      2 * Math.min(middle, width - middle) - EDGE,
      xaxis.title?.font?.size ?? 14,
      family,
    );
    const b = margin.b + Math.max(0, below.length - 1) * LINE.tick;
    const taller = isNamed ? Math.max(0, ...names.map((text) => text.split("<br>").length - 1)) * 8 * names.length : 0;
    const height = layout.height - margin.t - margin.b + t + b + taller;
    return {
      ...layout,
      width,
      height,
      margin: { ...margin, l, r, t, b },
      title: {
        ...title,
        text: titles.join("<br>"),
        subtitle: { ...title.subtitle, text: subtitles.join("<br>") },
        x: EDGE / width,
        y: 1 - TOP / height,
      },
      annotations: notes,
      xaxis: { ...xaxis, ticktext: ticks, title: { ...xaxis.title, text: below.join("<br>") } },
      yaxis: { ...yaxis, ticktext: names },
      legend: {
        ...layout.legend,
        xref: "container",
        yref: "container",
        x: EDGE / width,
        y: 1 - (head + 6) / height,
        yanchor: "top",
      },
    };
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

  /** Below this share of its own width a picture is moved sideways, not shrunk: its texts would be too small. */
  const LEAST_SHARE = 0.72;

  const drawOne = async ({ area, spec }) => {
    const figure = themed(spec);
    const first = area.querySelector(".main-svg") === null;
    if (first) area.replaceChildren();
    // A figure whose marks are sized in pixels keeps its width; any other is drawn for the page's.
    const own = spec.layout?.meta?.fixedWidth ? spec.layout.width : Math.max(300, area.clientWidth);
    const share = area.clientWidth / own;
    area.classList.toggle("shrunk", share < 1 && share >= LEAST_SHARE);
    const layout = fitted(figure, own, share < LEAST_SHARE ? area.clientWidth : own);
    // Somebody else's figure, as plotly itself fits it.
    const isForeign = layout === figure.layout && !layout.meta?.fixedWidth;
    if (isForeign) delete layout.width;
    const config = { responsive: isForeign, displaylogo: false, showSendToCloud: false };
    await Plotly.react(area, figure.data, layout, config);
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

  const drawAll = () => draw().then(() => document.documentElement.setAttribute("data-plots", String(figures.length)));
  drawAll();
  let waiting;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(drawAll, 150);
  });
  for (const query of ["(prefers-color-scheme: dark)", "print"]) {
    matchMedia(query).addEventListener("change", draw);
  }
})();
