// A name and a value in a request: a query parameter, a header, a field of a form. What is switched off is kept, not sent.

export type Row = { name: string; value: string; enabled: boolean }
