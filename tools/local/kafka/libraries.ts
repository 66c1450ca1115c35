import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const pom = join(import.meta.dirname, 'pom.xml');

/** The version of Apache Kafka that pom.xml names. */
const kafkaVersion = '4.1.0';

/** Kafka 4 needs Java 17. Throws an error of one clear line where that is missing. */
export async function checkJava(): Promise<void> {
  const { stderr } = await run('java', ['-version']).catch(() => {
    throw new Error('Kafka needs Java 17 or newer: there is no `java` on the PATH');
  });
  const major = Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
  if (major < 17)
    throw new Error(`Kafka needs Java 17 or newer: \`java\` is ${stderr.split('\n')[0] ?? 'of an unknown version'}`);
}

/**
 * The folder with Kafka's jars; fetched from the Maven repository at the first use (43 MB) and kept for all checkouts
 * of this user.
 */
export async function libraries(): Promise<string> {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cadastre', `kafka-${kafkaVersion}`);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  // Complete or absent: an interrupted download must not look like a finished one.
  const partial = await mkdtemp(`${folder}-`);
  try {
    await run('mvn', [
      '-q',
      '-B',
      '-f',
      pom,
      'dependency:copy-dependencies',
      `-DoutputDirectory=${partial}`,
      '-DincludeScope=runtime',
    ]);
    await rename(partial, folder);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (existsSync(folder)) return folder;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error('fetching Kafka needs Apache Maven: there is no `mvn` on the PATH');
    const reason =
      (error as { stdout?: string }).stdout?.split('\n').find((line) => line.includes('ERROR')) ?? String(error);
    throw new Error(`fetching Kafka with Maven failed: ${reason}`);
  }
  return folder;
}
