// An identity provider for tests/it/npm_provider.rs: the npm package oidc-provider, at which Eva is always signed in.
//
// usage: node .ci/oidc-provider.mjs FOLDER REDIRECT_URI FILE
//
// FOLDER is where the package is installed. When the provider is ready, FILE contains its address.

import { generateKeyPairSync } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder, redirectUri, file] = process.argv.slice(2)
const { default: Provider } = await import(pathToFileURL(resolve(folder, 'node_modules/oidc-provider/lib/index.js')))

const server = createServer()
await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
const issuer = `http://127.0.0.1:${server.address().port}`

const key = (kid, ...parameters) => ({ ...generateKeyPairSync(...parameters).privateKey.export({ format: 'jwk' }), kid, use: 'sig' })
const client = (algorithm, more) => ({
  client_id: `client-${algorithm}`,
  id_token_signed_response_alg: algorithm,
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: 'none',
  ...more,
})

const provider = new Provider(issuer, {
  clients: [
    client('RS256'),
    client('PS256'),
    client('ES256', { client_secret: 's3cret:&%=signs', token_endpoint_auth_method: 'client_secret_basic' }),
    client('EdDSA'),
  ],
  jwks: {
    keys: [
      key('rsa', 'rsa', { modulusLength: 2048 }),
      key('ec', 'ec', { namedCurve: 'P-256' }),
      key('ed', 'ed25519'),
    ],
  },
  enabledJWA: { idTokenSigningAlgValues: ['RS256', 'PS256', 'ES256', 'EdDSA'] },
  cookies: { keys: ['a key of a test'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  // As the providers of companies do: the claims are in the ID token.
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: 'eva.muster@example.ch', email_verified: true, name: 'Eva Muster' }),
  }),
})

// Signs in and consents without a form.
async function interact(request, response) {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: 'eva' } })
  }
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
  grant.addOIDCScope(params.scope)
  const consent = { grantId: await grant.save() }
  return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
}

const callback = provider.callback()
server.on('request', (request, response) => {
  if (!request.url.startsWith('/interaction/')) return callback(request, response)
  interact(request, response).catch((failure) => {
    console.error(failure)
    response.writeHead(500).end()
  })
})
writeFileSync(`${file}.new`, issuer)
renameSync(`${file}.new`, file)
