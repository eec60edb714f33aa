/** Markdown of the course as HTML: of notebooks' cells, and of the texts beside them. */
import createMarkdownIt, { type MarkdownIt } from "markdown-it";
import { cleanHtml } from "./clean-html.js";
import { highlightCuda, highlightTypeScript } from "./highlight.js";

interface MarkdownEnvironment {
  readonly folder: string;
}

/** Where the site has what a notebook or a text links to; its front page is the site's. */
function pageAddress(href: string): string {
  return href.replace(/^README\.md(?=#|$)/, "../index.html").replace(/^(?!\.\.)([^#?]*)\.(ipynb|md)(?=#|$)/, "$1.html");
}

/** Jupyter's anchor of a heading: its text with dashes for spaces. */
export function anchorOf(heading: string): string {
  return heading.replace(/\s+/g, "-");
}

function createMarkdown(): MarkdownIt {
  const markdown = createMarkdownIt({
    html: true,
    highlight: (code, language) => {
      if (/^(c|cpp|cuda)$/.test(language)) return highlightCuda(code);
      return /^(ts|typescript|js|javascript)?$/.test(language) ? highlightTypeScript(code) : "";
    },
  });
  const rules = markdown.renderer.rules;
  rules.table_open = () => '<div class="scroll"><table>';
  rules.table_close = () => "</table></div>";
  // The notebooks link to each other as files; their pages lie side by side under the same names.
  rules.link_open = (tokens, index, options, environment, renderer) => {
    const token = tokens[index];
    const href = String(token?.attrGet("href") ?? "");
    const { folder = "" } = (environment ?? {}) as Partial<MarkdownEnvironment>;
    if (!/^([a-z]+:|#)/i.test(href)) token?.attrSet("href", folder + pageAddress(href));
    return renderer.renderToken(tokens, index, options);
  };
  rules.heading_open = (tokens, index, options, _environment, renderer) => {
    const text = tokens[index + 1]?.content ?? "";
    tokens[index]?.attrSet("id", anchorOf(text));
    return renderer.renderToken(tokens, index, options);
  };
  return markdown;
}

const markdown: MarkdownIt = createMarkdown();

/** Safe to stand on a page. @param folder from the page to the folder of the notebooks: "" or such as "notebooks/" */
export function markdownHtml(text: string, folder = ""): string {
  return cleanHtml(markdown.render(text, { folder } satisfies MarkdownEnvironment));
}
