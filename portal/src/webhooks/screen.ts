// What the portal knows of Webhooks without loading it: address, place in the navigation, permission, words for the palette.
import type { ScreenEntry } from '../navigation/screen.ts'

export const webhooks: ScreenEntry = {
  id: 'webhooks',
  path: '/webhooks',
  entries: ['webhooks'],
  setting: 'programs',
  key: 'w',
  needs: 'webhooks:read',
  actions: [{ id: 'create_webhook', search: { create: '1' }, needs: 'webhooks:manage' }],
  load: () => import('./webhooks_screen.tsx').then(module => module.WebhooksScreen),
  pages: [
    {
      id: 'callbacks',
      path: '/webhooks/callbacks',
      load: () => import('./callbacks_page.tsx').then(module => module.CallbacksScreen),
    },
    {
      id: 'webhook',
      path: '/webhooks/$id',
      load: () => import('./webhook_page.tsx').then(module => module.WebhookScreen),
    },
    {
      id: 'delivery',
      path: '/webhooks/deliveries/$id',
      load: () => import('./delivery_page.tsx').then(module => module.DeliveryScreen),
    },
  ],
}
