// What the phone says on every screen, before it is opened.
export const en = {
  oneCall: 'You’re already on a call. End it first.',
  yourCall: 'your call',
  callNumber: 'Call {number}',
  turnOn: 'Turn the phone on',
  turnOff: 'Turn the phone off',
} as const
