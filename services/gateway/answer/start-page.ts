/** The page at `/` for people who come with a browser: where the documentation is, and how a first call looks. */
export const startPage = (base: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cadastre</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; color: #1b2733; background: #fff }
  h1 { font-size: 1.8rem } code, pre { font: 14px/1.5 ui-monospace, monospace; background: #f1f4f7; border-radius: 4px }
  code { padding: .1em .3em } pre { padding: 1rem; overflow-x: auto } a { color: #0b5cad }
  @media (prefers-color-scheme: dark) { body { color: #dde4ea; background: #14191e } code, pre { background: #222a31 } a { color: #7ab8f5 } }
</style>
</head>
<body>
<main>
<h1>Cadastre</h1>
<p>Cadastre keeps the record of a network: sites, racks, devices, addresses, circuits, who owns them, and what changed.</p>
<ul>
<li><a href="/api/schema/swagger-ui/">API documentation</a>, where you can try out requests</li>
<li>The API as an OpenAPI document: <a href="/api/schema/?format=yaml">YAML</a>, <a href="/api/schema/?format=json">JSON</a></li>
<li><a href="/login/">Web pages</a> of everything that is recorded here (log in first)</li>
<li><a href="/api/">API root</a> (needs a token or a login)</li>
</ul>
<p>Get a token for a username and a password, then make a first request:</p>
<pre>curl -X POST ${base}/api/users/tokens/provision/ \\
  -H 'Content-Type: application/json' -d '{"username": "…", "password": "…"}'
curl ${base}/api/dcim/sites/ \\
  -H 'Authorization: Bearer svc_&lt;key&gt;.&lt;token&gt;'</pre>
</main>
</body>
</html>
`;
