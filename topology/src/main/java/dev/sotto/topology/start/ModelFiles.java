package dev.sotto.topology.start;

import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.StartingModel;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A published model with its ledger entries, in a file: published data, for whoever may read it. */
public final class ModelFiles {
  private ModelFiles() {}

  /**
   * Reads one.
   *
   * @throws SottoException where it cannot be read, or is no model file
   */
  public static StartingModel read(Path file) {
    try {
      return Codecs.STARTING_MODEL.decode(Files.readAllBytes(file));
    } catch (IOException unreadable) {
      throw new SottoException(
          FailureKind.CONFIGURATION,
          "the model file " + file + " cannot be read: "
              + (Files.exists(file) ? unreadable.getMessage() : "it does not exist")
              + "; write one with: sotto snapshot --out FILE",
          unreadable);
    } catch (UnreadableRecordException damaged) {
      throw new SottoException(
          FailureKind.UNVERIFIED,
          file + " is no model file, or is damaged: " + damaged.getMessage()
              + "; write one with: sotto snapshot --out FILE",
          damaged);
    }
  }

  /** Writes one; a file that is there is replaced. */
  public static void write(Path file, StartingModel model) throws IOException {
    Files.write(file, Codecs.STARTING_MODEL.encode(model));
  }
}
