package dev.sotto.app.command;

import dev.sotto.learner.release.NoiseKey;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.StartFailure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a noise key. */
@Command(
    name = "key",
    description = "Make a noise key: a new file that only you can read. Never overwrites one.")
public final class KeyCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The file to make.")
  private Path file;

  @Override
  public Integer call() {
    try {
      NoiseKey key = NoiseKey.create(file);
      spec.commandLine()
          .getOut()
          .println("made noise key " + key.id() + " in " + file
              + "; keep a copy as long as the model lives, and show it to nobody");
      return ExitCode.OK.code();
    } catch (FileAlreadyExistsException there) {
      throw new StartFailure(
          ExitCode.USAGE,
          file + " must be a new file, but exists: keys are never overwritten; name another one",
          there);
    } catch (IOException unwritable) {
      throw new StartFailure(
          ExitCode.USAGE,
          file + " could not be made: " + unwritable
              + "; name a file in a folder that you can write to",
          unwritable);
    }
  }
}
