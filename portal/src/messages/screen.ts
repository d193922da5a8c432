// What the portal knows of Messages without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const messages: ScreenEntry = {
  id: 'messages',
  path: '/messages',
  entries: ['inbox', 'messaging'],
  key: 'm',
  needs: 'messages:read',
  actions: [{ id: 'send_message', search: { send: '1' }, needs: 'messages:send' }],
  load: () => import('./messages_screen.tsx').then(module => module.MessagesScreen),
  pages: [{ id: 'message', path: '/messages/$id' }],
}
