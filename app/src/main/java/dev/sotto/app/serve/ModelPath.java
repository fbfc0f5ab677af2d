package dev.sotto.app.serve;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path below {@code /v2/models/}.
 *
 * @param model its id, which may have slashes, or an alias
 * @param version empty for the one in place
 */
record ModelPath(String model, OptionalLong version, Action action) {
  private static final Pattern PATH =
      Pattern.compile("/v2/models/(.+?)(?:/versions/([0-9]{1,18}))?(/ready|/infer)?/?");

  /** What is asked for. */
  enum Action {
    METADATA,
    READY,
    INFER
  }

  /**
   * Reads a path.
   *
   * @param path decoded
   */
  static Optional<ModelPath> parse(String path) {
    Matcher parts = PATH.matcher(path);
    if (!parts.matches()) {
      return Optional.empty();
    }
    OptionalLong version = parts.group(2) == null
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(parts.group(2)));
    Action action = parts.group(3) == null
        ? Action.METADATA
        : parts.group(3).equals("/ready") ? Action.READY : Action.INFER;
    return Optional.of(new ModelPath(parts.group(1), version, action));
  }
}
