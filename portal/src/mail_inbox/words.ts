// How a mail that came in is spoken of.

export const doorWords = { smtp: 'over SMTP', imap: 'from a mailbox', http: 'over HTTP' } as const

export const checkWords = {
  verified: 'The sender is proved (DMARC).',
  unverified:
    'It may be from somebody else: its sender failed DMARC. The address that it came to is all that it was matched by.',
  unknown: 'Nothing proves or disproves its sender.',
} as const

export const matchWords: Record<string, string> = {
  token: 'by the address that it came to',
  thread: 'as an answer',
  sender: 'by its sender',
  recipient: 'by whom it was written to',
  person: 'by hand',
}

/** `Re: Monday`, once. */
export function answerSubject(subject: string): string {
  return /^(re|aw|sv|antw)\s*:/i.test(subject) ? subject : `Re: ${subject}`
}
