// The writers of samples in all languages: fetched when another than cURL is wanted.
export { samplesFor } from '@tandem/catalog'
