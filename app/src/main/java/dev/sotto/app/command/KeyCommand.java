package dev.sotto.app.command;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.topology.encryption.Keyset;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes keys: for noise, and for encryption at rest. */
@Command(
    name = "key",
    description = "Make a noise key: a new file that only you can read. Never overwrites one.")
public final class KeyCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--encryption",
      description = "Make a keyset for encryption at rest instead (Tink, JSON).")
  private boolean encryption;

  @Option(
      names = "--rotate",
      description =
          "With --encryption: add a new key to an existing keyset. What is written from then on"
              + " is encrypted under it; the older keys stay, for what was written before.")
  private boolean rotate;

  @Parameters(paramLabel = "FILE", description = "The file to make.")
  private Path file;

  @Override
  public Integer call() {
    if (rotate && !encryption) {
      throw new ParameterException(
          spec.commandLine(),
          "--rotate needs --encryption: a model has one noise key for all its life");
    }
    try {
      spec.commandLine().getOut().println(make());
      return ExitCode.OK.code();
    } catch (FileAlreadyExistsException there) {
      throw new SottoException(
          FailureKind.USAGE,
          file + " must be a new file, but exists: keys are never overwritten; name another one",
          there);
    } catch (IOException | IllegalArgumentException unusable) {
      throw new SottoException(
          FailureKind.USAGE,
          rotate
              ? file + " could not be rotated: " + unusable.getMessage()
              : file + " could not be made: " + unusable
                  + "; name a file in a folder that you can write to",
          unusable);
    }
  }

  private String make() throws IOException {
    if (rotate) {
      return "added encryption key " + Keyset.rotate(file).primaryId() + " to " + file
          + "; stop all instances, give each this file, and start them again";
    }
    if (encryption) {
      return "made encryption key " + Keyset.create(file).primaryId() + " in " + file
          + "; keep a copy as long as anything that it encrypts, and show it to nobody";
    }
    return "made noise key " + NoiseKey.create(file).id() + " in " + file
        + "; keep a copy as long as the model lives, and show it to nobody";
  }
}
