// Shows a game server who is playing. The token stays here.
// Usage: TOKEN=lk_… node examples/play.mjs http://localhost:3000 play.example.org http://localhost:4000
import { Latchkey } from "./client.mjs";

const [base, audience, server] = process.argv.slice(2);
try {
  const token = process.env.TOKEN;
  if (!server || !token) throw new Error("Set TOKEN. Usage: node play.mjs http://localhost:3000 <audience> <server>");
  const validator = await new Latchkey(base, { token }).validator(audience);
  const response = await fetch(server, { headers: { Authorization: `Bearer ${validator}` } });
  console.log((await response.text()).trim());
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
