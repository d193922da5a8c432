// What a person types as a second factor: six digits are a code of the app, anything longer is a recovery code.

export function codeProof(typed: string): { code: string } | { recoveryCode: string } {
  const digits = typed.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(digits) ? { code: digits } : { recoveryCode: typed.trim() }
}
