// The entry of `npm start`. Plain JavaScript, so that a Node.js too old for the rest can still say so.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`Cadastre needs Node.js 22.18 or newer to run, and this is ${process.versions.node} (${process.execPath}).
Normally npm install brings Node.js 24 along as an optional dependency and npm start finds it in node_modules/.bin.
Here it is missing: run "npm install --include=optional" again, start with "npm start" rather than "node", or install a newer Node.js.
`);
  process.exit(1);
}
await import('./local/start.ts');
