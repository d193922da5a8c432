// Apps and authorizations over the API, in the order the Explorer shows them.
import { appEndpoints } from './app_endpoints.ts'
import { errorEndpoints } from './error_endpoints.ts'
import { grantEndpoints } from './grant_endpoints.ts'
import { secretEndpoints } from './secret_endpoints.ts'

export const endpoints = [...appEndpoints, ...secretEndpoints, ...grantEndpoints, ...errorEndpoints]
