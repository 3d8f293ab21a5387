// @ts-check
/** What stands on a terminal as a picture: SVG, in the colours of a dark one, in any font. */

const cell = { width: 7.8, height: 18 };
const margin = { x: 18, top: 44, bottom: 16 };
const background = '#0d1117';
const foreground = '#c9d1d9';
/** The eight colours of a terminal, readable on the background. */
const colors = ['#484f58', '#ff7b72', '#3fb950', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#f0f6fc'];

/**
 * @typedef {{ text: string, column: number, width: number, color: string, bold: boolean, dim: boolean }} Run text of one look
 * @typedef {{ title: string, name: string }} Words what it shows, and what stands above it
 */

/**
 * All rows up to the last that holds something.
 * @param {import('@xterm/headless').Terminal} terminal
 * @param {Words} words
 */
export function pictureOf(terminal, words) {
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, index) => runsOf(active.getLine(index), terminal.cols));
  return svg(lines.slice(0, lines.findLastIndex((runs) => runs.length > 0) + 1), terminal.cols, words);
}

/**
 * @param {import('@xterm/headless').IBufferLine | undefined} line
 * @param {number} columns
 */
function runsOf(line, columns) {
  /** @type {Run[]} */
  const runs = [];
  for (let column = 0; column < columns; column++) {
    const at = line?.getCell(column);
    if (!at || at.getWidth() === 0) continue;
    const color = at.isFgPalette() ? (colors[at.getFgColor() % 8] ?? foreground) : foreground;
    const look = { color, bold: at.isBold() !== 0, dim: at.isDim() !== 0 };
    const text = at.getChars() || ' ';
    const last = runs.at(-1);
    if (last && last.color === look.color && last.bold === look.bold && last.dim === look.dim) {
      last.text += text;
      last.width += at.getWidth();
    } else runs.push({ text, column, width: at.getWidth(), ...look });
  }
  return runs.flatMap(({ text: whole, column, width, ...look }) => {
    // Spaces at its ends would be lost, and those in it become one, where a picture is shown.
    const text = whole.trim();
    const before = whole.length - whole.trimStart().length;
    const blank = whole.length - text.length;
    return text === ''
      ? []
      : [{ ...look, text: text.replaceAll(' ', '\u00a0'), column: column + before, width: width - blank }];
  });
}

/**
 * @param {Run[][]} lines
 * @param {number} columns
 * @param {Words} words
 */
function svg(lines, columns, { title, name }) {
  const width = Math.round(2 * margin.x + columns * cell.width);
  const height = margin.top + lines.length * cell.height + margin.bottom;
  const text = lines.flatMap((runs, row) => runs.map((run) => textOf(run, margin.top + (row + 0.75) * cell.height)));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${title}</title>
<rect width="${width}" height="${height}" rx="8" fill="${background}"/>
${['#ff5f57', '#febc2e', '#28c840'].map((color, index) => `<circle cx="${margin.x + 5 + index * 18}" cy="20" r="5.5" fill="${color}"/>`).join('\n')}
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13" xml:space="preserve">
<text x="${width / 2}" y="24" text-anchor="middle" fill="#8b949e">${name}</text>
${text.join('\n')}
</g>
</svg>
`;
}

/**
 * The length is given because fonts differ in the width of their letters.
 * @param {Run} run
 * @param {number} y
 */
function textOf({ text, column, width, color, bold, dim }, y) {
  const look = `fill="${color}"${bold ? ' font-weight="bold"' : ''}${dim ? ' opacity="0.65"' : ''}`;
  const place = `x="${(margin.x + column * cell.width).toFixed(1)}" y="${y}" textLength="${(width * cell.width).toFixed(1)}"`;
  return `<text ${place} lengthAdjust="spacingAndGlyphs" ${look}>${escaped(text)}</text>`;
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
