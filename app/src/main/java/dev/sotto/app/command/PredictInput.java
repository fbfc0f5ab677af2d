package dev.sotto.app.command;

import dev.sotto.app.scoring.ScoredEvents;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The events for which something is predicted: a picocli mixin. */
final class PredictInput {
  private static final String STANDARD_INPUT = "-";

  @Parameters(
      arity = "0..1",
      paramLabel = "EVENTS",
      description = "JSON lines, CSV or libsvm, also with .gz, or what sotto record has made; -"
          + " reads JSON lines from standard input.")
  private Path file;

  @Mixin
  private TextOptions text;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "A topic instead of a file: its committed records up to now, without a group.")
  private String topic;

  @Option(
      names = "--encryption-key-file",
      paramLabel = "FILE",
      description = "The keyset under which the recording is encrypted (sotto key --encryption).")
  private Path encryptionKey;

  /** What is wrong with the flags; empty where nothing is. */
  Optional<String> problem() {
    if (file == null && topic == null) {
      return Optional.of("the events are not named: give a file, - for standard input, or --topic");
    }
    return file != null && topic != null
        ? Optional.of("a file and --topic exclude each other: give one of them")
        : Optional.empty();
  }

  /**
   * Hands all events on.
   *
   * @param clients settings of Kafka's clients, asked for where there is a topic to read
   * @throws SottoException where they cannot be read
   */
  void read(Supplier<Map<String, String>> clients, ScoredEvents.Visitor visitor)
      throws IOException {
    if (topic != null) {
      ScoredEvents.ofTopic(clients.get(), topic, visitor);
    } else if (file.toString().equals(STANDARD_INPUT)) {
      ScoredEvents.ofLines(System.in, visitor);
    } else {
      ScoredEvents.ofFile(
          file,
          text.recording().with(encryption()),
          header -> text.requireText(file, header),
          visitor);
    }
  }

  private Encryption encryption() {
    try {
      return encryptionKey == null ? Encryption.none() : Keyset.read(encryptionKey);
    } catch (IOException | IllegalArgumentException unusable) {
      throw new SottoException(
          FailureKind.CONFIGURATION,
          "--encryption-key-file must name a usable keyset, but: " + unusable.getMessage(),
          unusable);
    }
  }
}
