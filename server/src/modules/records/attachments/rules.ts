// What a file is, by its first bytes, and how browsers may show it. Pure.

export function createAttachment(_draft: unknown, _named: unknown, { userId }: { userId: number }) {
  return { set: { uploaded_by: userId } }
}

const ascii = (text: string) => [...text].map(letter => letter.charCodeAt(0))

/** Beginnings of files, with what they are the beginning of. */
const beginnings: readonly [at: number, bytes: readonly number[], type: string][] = [
  [0, [0x89, ...ascii('PNG\r\n\x1a\n')], 'image/png'],
  [0, [0xff, 0xd8, 0xff], 'image/jpeg'],
  [0, ascii('GIF87a'), 'image/gif'],
  [0, ascii('GIF89a'), 'image/gif'],
  [8, ascii('WEBP'), 'image/webp'],
  [0, ascii('%PDF-'), 'application/pdf'],
  [0, [...ascii('PK'), 3, 4], 'application/zip'],
  // An empty one.
  [0, [...ascii('PK'), 5, 6], 'application/zip'],
  [0, [0x1f, 0x8b], 'application/gzip'],
  [0, ascii('ID3'), 'audio/mpeg'],
  [8, ascii('WAVE'), 'audio/wav'],
  [4, ascii('ftyp'), 'video/mp4'],
]

const office = 'application/vnd.openxmlformats-officedocument'
/** Files of these kinds are archives or texts to their bytes; the name says what is in them. */
const byName: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'application/zip': {
    docx: `${office}.wordprocessingml.document`,
    xlsx: `${office}.spreadsheetml.sheet`,
    pptx: `${office}.presentationml.presentation`,
  },
  'text/plain': { csv: 'text/csv', md: 'text/markdown', json: 'application/json' },
}

/** What a file is, whatever its sender says: never a type that browsers run, such as HTML or SVG. */
export function typeOf(head: Uint8Array, name: string, isUtf8: boolean): string {
  const known = beginnings.find(([at, bytes]) => bytes.every((byte, index) => head[at + index] === byte))
  const type = known?.[2] ?? (isUtf8 && !head.includes(0) ? 'text/plain' : 'application/octet-stream')
  const extension = name.split('.').at(-1)?.toLowerCase() ?? ''
  return byName[type]?.[extension] ?? type
}

const texts = ['text/plain', 'text/csv', 'text/markdown', 'application/json', 'application/octet-stream']
/** What the bytes of a file with such a name are; of other names nothing is known. Texts may be of any encoding. */
const byExtension: Readonly<Record<string, readonly string[]>> = {
  png: ['image/png'],
  jpg: ['image/jpeg'],
  jpeg: ['image/jpeg'],
  gif: ['image/gif'],
  webp: ['image/webp'],
  pdf: ['application/pdf'],
  zip: ['application/zip'],
  gz: ['application/gzip'],
  wav: ['audio/wav'],
  mp4: ['video/mp4'],
  ...Object.fromEntries(Object.entries(byName['application/zip']!).map(([extension, type]) => [extension, [type]])),
  txt: texts,
  csv: texts,
  md: texts,
  json: texts,
}

/** Whether the name of a file says that it is something else than its bytes are. */
export function isMisnamed(type: string, name: string): boolean {
  const extension = name.includes('.') ? name.split('.').at(-1)!.toLowerCase() : ''
  return Object.hasOwn(byExtension, extension) && !byExtension[extension]!.includes(type)
}

const shownInline = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain'])

/** Whether browsers may show it instead of saving it. */
export function mayShowInline(type: string): boolean {
  return shownInline.has(type)
}

/** Letters that a header can hold; the whole name stands beside it. */
export function plainName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^\w.-]+/g, '_')
    .replaceAll(/^[._]+|_+$/g, '')
  return plain === '' ? 'file' : plain.slice(-100)
}
