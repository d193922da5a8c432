// The English texts of the pages that links of emails open.
export const en = {
  incomplete: 'This link is incomplete. Open the whole link from the email again.',
  linkTitle: 'Log in by email',
  logIn: 'Log in',
  confirmTitle: 'Confirm your new email',
  confirmText: 'This becomes the email address of the account you’re logged in with, {email}.',
  confirmLogIn: 'Log in with the email address your account has had so far.',
  confirm: 'Confirm',
  confirmed: 'Done. From now on, log in with {email}.',
  undoTitle: 'Undo your email change',
  undoText: 'Your account goes back to the email address this message was sent to, and you’re logged out everywhere.',
  undo: 'Undo the change',
  undone: 'Your account uses {email} again, and you’re logged out everywhere. Now set a new password.',
  undonePassword: 'Set a new password',
} as const
