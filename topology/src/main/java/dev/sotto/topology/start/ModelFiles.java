package dev.sotto.topology.start;

import dev.sotto.learner.key.Sha256;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.StartingModel;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A published model with its ledger entries, in a file: published data, for whoever may read it.
 * Its last 32 bytes are the SHA-256 of those before them.
 */
public final class ModelFiles {
  private static final int DIGEST = 32;

  private ModelFiles() {}

  /**
   * Reads one.
   *
   * @throws SottoException where it cannot be read, or is no model file
   */
  public static StartingModel read(Path file) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException unreadable) {
      throw new SottoException(
          FailureKind.CONFIGURATION,
          "the model file " + file + " cannot be read: " + why(file, unreadable),
          unreadable);
    }
    if (bytes.length > 0 && bytes[0] == '{') {
      throw noModel(
          file,
          "it is a model in JSON, as learn, replay and export write it for predict, without the"
              + " ledger that a run begins with",
          null);
    }
    int length = Math.max(0, bytes.length - DIGEST);
    byte[] content = Arrays.copyOf(bytes, length);
    if (!Arrays.equals(Sha256.sha256(content), Arrays.copyOfRange(bytes, length, bytes.length))) {
      throw noModel(file, "its checksum does not fit", null);
    }
    try {
      return Codecs.STARTING_MODEL.decode(content);
    } catch (UnreadableRecordException damaged) {
      throw noModel(file, damaged.getMessage(), damaged);
    }
  }

  private static String why(Path file, IOException unreadable) {
    if (!Files.exists(file)) {
      return "it does not exist; write one with: sotto snapshot --out FILE. A topic ends with"
          + " .snapshots";
    }
    return unreadable instanceof AccessDeniedException
        ? "it is for another user, as what learn and replay write is; change its owner or"
            + " permissions"
        : unreadable.toString();
  }

  private static SottoException noModel(Path file, String why, Throwable cause) {
    return new SottoException(
        FailureKind.UNVERIFIED,
        file + " is no model file, or is damaged: " + why
            + "; write one with: sotto snapshot --out FILE",
        cause);
  }

  /** Writes one; a file that is there is replaced. */
  public static void write(Path file, StartingModel model) throws IOException {
    byte[] content = Codecs.STARTING_MODEL.encode(model);
    ByteArrayOutputStream whole = new ByteArrayOutputStream(content.length + DIGEST);
    whole.writeBytes(content);
    whole.writeBytes(Sha256.sha256(content));
    Files.write(file, whole.toByteArray());
  }
}
