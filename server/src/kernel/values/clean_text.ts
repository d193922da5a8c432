/** Text as it is stored: composed (NFC), without blanks around it, surrogates in pairs, and null when nothing is left. */
export function cleanText(text: string | null | undefined): string | null {
  return text?.trim().toWellFormed().normalize('NFC') || null
}
