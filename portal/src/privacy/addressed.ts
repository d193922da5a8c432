// A person as somebody types them: what has an @ is an e-mail address, anything else a telephone number.
export function addressed(text: string): { email: string } | { phone: string } {
  const address = text.trim()
  return address.includes('@') ? { email: address } : { phone: address }
}
