package dev.sotto.topology.start;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where published weights come from. */
public sealed interface StartSource {
  /**
   * The outputs of another learner.
   *
   * @param app its id
   * @param version to begin at; empty for the newest
   */
  record Topics(String app, OptionalLong version) implements StartSource {}

  /** A model file. */
  record ModelFile(Path path) implements StartSource {}

  /** A text of the configuration; empty where it names neither. */
  static Optional<StartSource> parse(String text) {
    Matcher topic =
        Pattern.compile("([a-zA-Z0-9._-]+)\\.snapshots(?:@([0-9]{1,18}))?").matcher(text.strip());
    if (topic.matches()) {
      String version = topic.group(2);
      return Optional.of(new Topics(
          topic.group(1),
          version == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(version))));
    }
    try {
      return Optional.of(new ModelFile(Path.of(text.strip())));
    } catch (InvalidPathException neither) {
      return Optional.empty();
    }
  }
}
