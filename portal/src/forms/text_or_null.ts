// Texts of fields that may stay empty.

/** Without the blanks around it; null where nothing was typed. */
export const textOrNull = (text: string) => (text.trim() === '' ? null : text.trim())
