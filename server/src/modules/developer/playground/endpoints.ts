// All that the Playground keeps on the server.
import { collectionEndpoints, deleteCollection } from './collection_endpoints.ts'
import { environmentEndpoints } from './environment_endpoints.ts'
import { requestEndpoints } from './request_endpoints.ts'

export const endpoints = [...environmentEndpoints, ...collectionEndpoints, ...requestEndpoints, deleteCollection]
