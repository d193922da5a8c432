// The contrast of all text of a page on its ground, in both themes at once, by arithmetic on computed colours (WCAG 2.2,
// 1.4.3; 1.4.1 for links). axe takes seconds for it where a screen is full, and the page would have to be painted in each
// theme. These functions run in the page: `contrastScript` is their text, so they know nothing but each other.
import type { Page } from 'playwright-core'

/** Red, green, blue from 0 to 255, and how much it covers, from 0 to 1. */
type Colour = readonly [red: number, green: number, blue: number, alpha: number]

type Faint = { text: string; place: string; ratio: number; wanted: number; ink: string; ground: string }

/** A line for each text that is too faint, each kind of it once. */
export async function readFaintText(page: Page): Promise<string[]> {
  return (await page.evaluate(`(() => { ${contrastScript}\nreturn faintTextInBothThemes() })()`)) as string[]
}

/** Of a computed colour; any other notation throws, so that it is noticed when it is introduced. */
export function parseColour(css: string): Colour {
  const numbers = (css.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number)
  const [red = 0, green = 0, blue = 0, alpha = 1] = numbers
  if (/^rgba?\(/.test(css)) return [red, green, blue, alpha]
  if (css.startsWith('color(srgb ')) return [red * 255, green * 255, blue * 255, alpha]
  throw new Error(`contrast.ts cannot read the colour ${css}`)
}

/** What is seen of `above` before `below`. */
export function over(above: Colour, below: Colour): Colour {
  const alpha = above[3] + below[3] * (1 - above[3])
  const mixed = (i: 0 | 1 | 2) =>
    alpha === 0 ? 0 : (above[i] * above[3] + below[i] * below[3] * (1 - above[3])) / alpha
  return [mixed(0), mixed(1), mixed(2), alpha]
}

/** From 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastRatio(one: Colour, other: Colour): number {
  const channel = (value: number) => (value <= 10.31475 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
  const luminance = ([red, green, blue]: Colour) =>
    0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue)
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}

/** What an element lays under its content, and how much of both is seen; read once for each. */
type Layers = Map<Element, { ground: Colour; opacity: number }>

function layerOf(element: Element, layers: Layers): { ground: Colour; opacity: number } {
  const known = layers.get(element)
  if (known !== undefined) return known
  const { backgroundColor, opacity } = getComputedStyle(element)
  const layer = { ground: parseColour(backgroundColor), opacity: Number(opacity) }
  layers.set(element, layer)
  return layer
}

/** The colours that are seen of an ink in `element` and of the ground around it, through every layer down to the canvas. */
function seenColours(element: Element, ink: Colour, layers: Layers): [ink: Colour, ground: Colour] {
  let ground: Colour = [0, 0, 0, 0]
  let text = ink
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const layer = layerOf(at, layers)
    ground = over(ground, layer.ground)
    text = over(text, layer.ground)
    if (layer.opacity === 1) continue
    ground = [ground[0], ground[1], ground[2], ground[3] * layer.opacity]
    text = [text[0], text[1], text[2], text[3] * layer.opacity]
  }
  const canvas: Colour =
    getComputedStyle(document.documentElement).colorScheme === 'dark' ? [18, 18, 18, 1] : [255, 255, 255, 1]
  return [over(text, canvas), over(ground, canvas)]
}

/** Elements with text of their own that a person sees and that is not switched off (which WCAG leaves out). */
function elementsWithText(): Map<Element, string> {
  const found = new Map<Element, string>()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.nodeValue?.trim() ?? ''
    if (text !== '' && node.parentElement !== null) found.set(node.parentElement, text)
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea')) {
    if (!['checkbox', 'radio', 'range', 'file', 'hidden'].includes(field.type)) found.set(field, field.value)
  }
  const off = ':disabled, [aria-disabled=true], label:has(:disabled), script, style, template'
  for (const element of found.keys()) {
    const isOff =
      element.closest(off) !== null ||
      (element.closest('label') as HTMLLabelElement | null)?.control?.matches(':disabled')
    const { width, height } = element.getBoundingClientRect()
    const isSeen =
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width > 1 && height > 1
    if (isOff || !isSeen || element.closest('.visually-hidden') !== null) found.delete(element)
  }
  return found
}

/** `main > p.note`, short enough for a line. */
function placeOf(element: Element): string {
  const names: string[] = []
  for (let at: Element | null = element; at !== null && names.length < 4; at = at.parentElement) {
    names.unshift([at.localName, ...at.classList].join('.'))
  }
  return names.join(' > ')
}

/** Large text may be fainter: 24 px, or 18.66 px and bold. */
function wantedRatio({ fontSize, fontWeight }: CSSStyleDeclaration): number {
  const pixels = Number.parseFloat(fontSize)
  return pixels >= 24 || (pixels >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5
}

function faintTexts(elements: ReadonlyMap<Element, string>, layers: Layers): Faint[] {
  return [...elements].flatMap(([element, text]) => {
    const isField = element.matches('input, textarea')
    const placeholder = isField && text === '' ? (element as HTMLInputElement).placeholder : ''
    const style = getComputedStyle(element, placeholder === '' ? null : '::placeholder')
    const [ink, ground] = seenColours(element, parseColour(style.color), layers)
    const ratio = contrastRatio(ink, ground)
    const wanted = wantedRatio(style)
    const reported = placeholder || text
    if (ratio >= wanted || reported === '') return []
    return [{ text: reported.slice(0, 40), place: placeOf(element), ratio, wanted, ink: `${ink}`, ground: `${ground}` }]
  })
}

/** The element whose text a link runs in: the nearest that is a box of its own, if it has words besides its links. */
function textAround(link: Element): Element | undefined {
  let around = link.parentElement!
  while (getComputedStyle(around).display === 'inline') around = around.parentElement!
  const walker = document.createTreeWalker(around, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!/\w/.test(node.nodeValue!) || node.parentElement!.closest('a[href], .visually-hidden') !== null) continue
    let box = node.parentElement!
    while (box !== around && getComputedStyle(box).display === 'inline') box = box.parentElement!
    if (box === around) return around
  }
  return undefined
}

/** Links within a text that differ from it by nothing but their colour, and hardly by that. */
function faintLinks(layers: Layers): Faint[] {
  return [...document.querySelectorAll('a[href]')].flatMap(link => {
    const style = getComputedStyle(link)
    if (style.display !== 'inline' || style.textDecorationLine.includes('underline') || !link.checkVisibility())
      return []
    const around = textAround(link)
    if (around === undefined) return []
    const aroundStyle = getComputedStyle(around)
    if (style.fontWeight !== aroundStyle.fontWeight) return []
    const [ink, ground] = seenColours(link, parseColour(style.color), layers)
    const [text] = seenColours(around, parseColour(aroundStyle.color), layers)
    const ratio = contrastRatio(ink, text)
    if (ratio >= 3) return []
    const place = `link in ${placeOf(link)}`
    return [{ text: link.textContent!.slice(0, 40), place, ratio, wanted: 3, ink: `${ink}`, ground: `${ground}` }]
  })
}

/** Looks in each theme without a frame painted in between: nobody sees it, and no code of the page learns of it. */
function faintTextInBothThemes(): string[] {
  const root = document.documentElement
  const before = root.dataset['theme']
  const still = new CSSStyleSheet()
  still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }')
  document.adoptedStyleSheets.push(still)
  const elements = elementsWithText()
  const lines = new Set<string>()
  try {
    for (const theme of ['light', 'dark']) {
      root.dataset['theme'] = theme
      const layers: Layers = new Map()
      for (const { text, place, ratio, wanted, ink, ground } of [
        ...faintTexts(elements, layers),
        ...faintLinks(layers),
      ]) {
        lines.add(`${theme}: ${ratio.toFixed(2)} where ${wanted} is wanted: ${place} "${text}", ${ink} on ${ground}`)
      }
    }
  } finally {
    if (before === undefined) delete root.dataset['theme']
    else root.dataset['theme'] = before
    void getComputedStyle(root).color
    document.adoptedStyleSheets.pop()
  }
  return [...lines]
}

const contrastScript = [
  parseColour,
  over,
  contrastRatio,
  layerOf,
  seenColours,
  elementsWithText,
  placeOf,
  wantedRatio,
  faintTexts,
  textAround,
  faintLinks,
  faintTextInBothThemes,
].join('\n')
