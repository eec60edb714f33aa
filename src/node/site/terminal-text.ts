/**
 * The text that a terminal shows in the end: a carriage return goes back over the line, as progress bars do, and cursor sequences move.
 * Colours stay for the reader of ANSI colours behind.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal is told by
const PIECE = /\x1b\[([\d;?]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\r\n|[\r\n\b]|[^\x1b\r\n\b]+|\x1b/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal is told by
const MOVES = /\r(?!\n)|\x08|\x1b\[[\d;?]*[A-HJKSTfhlsu]|\x1b\]/;
const RESET = "\x1b[0m";

interface Character {
  readonly text: string;
  /** Colour sequences in force, one after the other; "" for none. */
  readonly colour: string;
}

class Screen {
  readonly #lines: Character[][] = [[]];
  #row = 0;
  #column = 0;
  #colour = "";

  print(text: string): void {
    const line = this.#line();
    for (const character of text) {
      while (line.length < this.#column) line.push({ text: " ", colour: "" });
      line[this.#column++] = { text: character, colour: this.#colour };
    }
  }

  control(text: string): void {
    if (text === "\b") this.#column = Math.max(0, this.#column - 1);
    else this.#column = 0;
    if (!text.endsWith("\n")) return;
    this.#row++;
    this.#line();
  }

  sequence(parameters: string, letter: string): void {
    const count = Math.max(1, Number.parseInt(parameters, 10) || 1);
    switch (letter) {
      case "m":
        this.#colour = parameters === "" || /^0+$/.test(parameters) ? "" : `${this.#colour}\x1b[${parameters}m`;
        return;
      case "A":
        this.#row = Math.max(0, this.#row - count);
        return;
      case "B":
        this.#row = Math.min(this.#row + count, this.#lines.length - 1);
        return;
      case "C":
        this.#column += Math.min(count, 1000);
        return;
      case "D":
        this.#column = Math.max(0, this.#column - count);
        return;
      case "G":
        this.#column = Math.min(count, 1000) - 1;
        return;
      case "K":
        this.#erase(Number.parseInt(parameters, 10) || 0);
        return;
      case "J":
        if ((Number.parseInt(parameters, 10) || 0) >= 2) this.#lines.splice(0, this.#lines.length, []);
        else this.#lines.splice(this.#row + 1);
        if (parameters.startsWith("2") || parameters.startsWith("3")) this.#row = this.#column = 0;
        else this.#erase(0);
    }
  }

  text(): string {
    return this.#lines
      .map((line) => {
        let colour = "";
        const parts = line.map((character) => {
          if (character.colour === colour) return character.text;
          colour = character.colour;
          return `${RESET}${colour}${character.text}`;
        });
        return `${parts.join("")}${colour === "" ? "" : RESET}`;
      })
      .join("\n");
  }

  #line(): Character[] {
    while (this.#lines.length <= this.#row) this.#lines.push([]);
    return this.#lines[this.#row]!;
  }

  /** To the line's end, from its start, or the whole. */
  #erase(what: number): void {
    const line = this.#line();
    if (what === 0) line.splice(this.#column);
    else if (what === 2) line.length = 0;
    else for (let at = 0; at <= Math.min(this.#column, line.length - 1); at++) line[at] = { text: " ", colour: "" };
  }
}

/**
 * @example
 * terminalText("10 %\r20 %\r30 %\n"); // "30 %\n"
 */
export function terminalText(text: string): string {
  if (!MOVES.test(text)) return text;
  const screen = new Screen();
  for (const [piece, parameters, letter] of text.matchAll(PIECE)) {
    if (letter !== undefined) screen.sequence(parameters ?? "", letter);
    else if (/^[\r\n\b]/.test(piece)) screen.control(piece);
    else if (!piece.startsWith("\x1b")) screen.print(piece);
  }
  return screen.text();
}
