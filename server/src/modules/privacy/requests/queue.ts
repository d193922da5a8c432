// The queue of requests of persons, as others wake it.
export const privacyQueue = 'privacy_requests'
