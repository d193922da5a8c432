// Kinds of apps, in words.
export const kinds = [
  { value: 'confidential', label: 'Server: keeps a secret, acts for people or in its own name' },
  { value: 'public', label: 'Page or device: keeps no secret, acts for people' },
  { value: 'machine', label: 'Machine: acts in its own name only' },
]
