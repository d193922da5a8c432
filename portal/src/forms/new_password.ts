// Passwords that the portal makes, for people and phones.

// Without those that are mistaken for each other where they are typed by hand: 57 signs, 5.8 bits each.
const passwordSigns = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'

/** A password of 24 signs, which are all equally likely. */
export function newPassword(): string {
  let password = ''
  while (password.length < 24) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      // The last part of a byte's values does not fill the signs once more.
      if (byte < passwordSigns.length * 4 && password.length < 24)
        password += passwordSigns[byte % passwordSigns.length]
    }
  }
  return password
}
