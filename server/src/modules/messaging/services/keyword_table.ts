// The words that a recipient may answer with, and what is answered, by language: what a messaging service begins with, and
// what holds for senders without one. No word stands in two languages, so that the word decides which language to answer in;
// every answer is one segment of the GSM alphabet.

export type KeywordAction = 'stop' | 'start' | 'help'

/** Words that mean one of the three actions; without an answer nothing is sent back. */
export type Keyword = { words: string[]; reply: string | null }
export type LanguageKeywords = { language: string } & Record<KeywordAction, Keyword>

export const defaultKeywords: readonly LanguageKeywords[] = [
  {
    language: 'en',
    stop: {
      words: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
      reply: 'You will get no more messages from us. Reply START to get them again.',
    },
    start: {
      words: ['START', 'UNSTOP', 'YES'],
      reply: 'You will get our messages again. Reply STOP to end them, HELP for help.',
    },
    help: { words: ['HELP', 'INFO'], reply: 'Reply STOP to get no more messages from us, START to get them again.' },
  },
  {
    language: 'fr',
    stop: {
      words: ['ARRET', 'DESABONNER'],
      reply: 'Vous ne recevrez plus nos messages. Répondez REPRENDRE pour les recevoir à nouveau.',
    },
    start: {
      words: ['REPRENDRE', 'OUI'],
      reply: 'Vous recevrez à nouveau nos messages. Répondez ARRET pour y mettre fin, AIDE pour une aide.',
    },
    help: {
      words: ['AIDE'],
      reply: 'Répondez ARRET pour ne plus recevoir nos messages, REPRENDRE pour les recevoir à nouveau.',
    },
  },
  {
    language: 'de',
    stop: {
      words: ['STOPP', 'ABMELDEN', 'ENDE'],
      reply: 'Sie erhalten keine Nachrichten mehr von uns. Antworten Sie WEITER, um sie wieder zu erhalten.',
    },
    start: {
      words: ['WEITER', 'ANMELDEN'],
      reply: 'Sie erhalten wieder Nachrichten von uns. Antworten Sie STOPP, um sie zu beenden, HILFE für Hilfe.',
    },
    help: {
      words: ['HILFE'],
      reply: 'Antworten Sie STOPP, um keine Nachrichten mehr zu erhalten, WEITER, um sie wieder zu erhalten.',
    },
  },
  {
    language: 'es',
    stop: {
      words: ['BAJA', 'ALTO', 'CANCELAR'],
      reply: 'Ya no le enviaremos mensajes. Responda ALTA para volver a recibirlos.',
    },
    start: {
      words: ['ALTA'],
      reply: 'Le enviaremos mensajes de nuevo. Responda BAJA para dejar de recibirlos, AYUDA para obtener ayuda.',
    },
    help: { words: ['AYUDA'], reply: 'Responda BAJA para dejar de recibir mensajes, ALTA para volver a recibirlos.' },
  },
  {
    language: 'it',
    stop: {
      words: ['BASTA', 'FERMA', 'ANNULLA'],
      reply: 'Non riceverà più i nostri messaggi. Risponda RIPRENDI per riceverli di nuovo.',
    },
    start: {
      words: ['RIPRENDI'],
      reply: 'Riceverà di nuovo i nostri messaggi. Risponda BASTA per non riceverli più, AIUTO per un aiuto.',
    },
    help: { words: ['AIUTO'], reply: 'Risponda BASTA per non ricevere più messaggi, RIPRENDI per riceverli di nuovo.' },
  },
  {
    language: 'pt',
    stop: {
      words: ['PARE', 'PARAR', 'SAIR'],
      reply: 'Deixaremos de lhe enviar mensagens. Responda VOLTAR para receber de novo.',
    },
    start: {
      words: ['VOLTAR'],
      reply: 'Voltaremos a lhe enviar mensagens. Responda PARE para deixar de receber, AJUDA para obter ajuda.',
    },
    help: { words: ['AJUDA'], reply: 'Responda PARE para deixar de receber mensagens, VOLTAR para receber de novo.' },
  },
]
