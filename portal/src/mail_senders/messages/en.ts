// The English texts of mail senders.
export const en = {
  things: 'mail senders',
  about: 'Addresses your emails come from. Add the domain of each one as well, so its emails are signed and arrive.',
  address: 'Address',
  name: 'Name',
  defaultFor: 'Default for',
  replyTo: 'Replies go to',
  createdAt: 'Added',
  removeText: 'New emails no longer come from it. Those already waiting still do.',
  add: 'Add a sender',
  added: 'You can now send from {address}.',
  empty: 'No senders yet',
  emptyText: 'Your emails come from the address of this installation.',
  addTitle: 'Add a mail sender',
  addAction: 'Add',
  exampleName: 'Example Company',
} as const
