// The German texts of problems with webhooks and the Playground.
import type { Translation } from '../../../words/words.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  'title.invalid_webhook_url': 'Webhook-Adresse abgelehnt',
  'cause.invalid_webhook_url': 'Die URL des Webhooks ist keine Adresse, an die Zustellungen gehen dürfen.',
  'fix.invalid_webhook_url':
    'Verwenden Sie eine öffentliche https-Adresse. Der Betreiber kann private Bereiche mit TANDEM_EGRESS_ALLOW erlauben.',
  'title.webhook_limit_reached': 'Zu viele Webhooks',
  'cause.webhook_limit_reached': 'Die Organisation hat in diesem Modus 100 Webhooks. Mehr sind nicht möglich.',
  'fix.webhook_limit_reached':
    'Löschen Sie einen, der nicht gebraucht wird, oder lassen Sie einen Webhook die Ereignisse mehrerer empfangen.',
  'title.webhook_listener_limit_reached': 'Zu viele Listener',
  'cause.webhook_listener_limit_reached':
    'Die Organisation hat in diesem Modus 20 offene Webhook-Listener. Mehr sind nicht möglich.',
  'fix.webhook_listener_limit_reached':
    'Beenden Sie einen, der nicht gebraucht wird: Stoppen Sie sein Programm, oder beenden Sie ihn im Portal auf der Seite Webhooks.',
  'title.webhook_event_not_forwarded': 'Ereignis wurde nicht weitergeleitet',
  'cause.webhook_event_not_forwarded': 'An diesen Listener ging bisher kein Ereignis mit dieser ID.',
  'fix.webhook_event_not_forwarded':
    "Verwenden Sie eine eventId aus GET /v2/webhooks/listeners/'{listenerId}'/deliveries.",
  'title.webhook_listener_ended': 'Listener ist beendet',
  'cause.webhook_listener_ended':
    'Der Listener wurde beendet oder war zehn Minuten lang nicht verbunden. Ihn erreicht nichts mehr.',
  'fix.webhook_listener_ended': 'Starten Sie tandem listen noch einmal. Das erstellt einen neuen.',
  'title.webhook_disabled': 'Webhook ist deaktiviert',
  'cause.webhook_disabled': 'An einen deaktivierten Webhook wird nichts gesendet.',
  'fix.webhook_disabled': "Aktivieren Sie ihn zuerst: PATCH /v2/webhooks/'{webhookId}' mit '{\"enabled\": true}'.",
  'title.environment_limit_reached': 'Zu viele Umgebungen',
  'cause.environment_limit_reached': 'Die Organisation hat 200 Umgebungen. Mehr sind nicht möglich.',
  'fix.environment_limit_reached': 'Löschen Sie eine, die niemand braucht.',
  'title.collection_limit_reached': 'Zu viele Sammlungen',
  'cause.collection_limit_reached': 'Die Organisation hat 300 Sammlungen. Mehr sind nicht möglich.',
  'fix.collection_limit_reached': 'Löschen Sie eine, die niemand braucht.',
  'title.collection_full': 'Sammlung ist voll',
  'cause.collection_full': 'Eine Sammlung enthält höchstens 300 Anfragen, 50 Ordner und 2 Millionen Zeichen.',
  'fix.collection_full': 'Verschieben Sie einige Anfragen in eine andere Sammlung, oder löschen Sie welche.',
}
