package dev.sotto.app.context;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A name for a learner and its brokers, or for brokers alone. It has no secrets: it names the files
 * that have them.
 *
 * @param settings by their names in {@link #NAMES}; files by their absolute paths
 */
public record Context(Map<String, String> settings) {
  /** The brokers. */
  public static final String SERVERS = "bootstrap.servers";

  /** The learner. */
  public static final String APP_ID = "app.id";

  /** A file with settings of Kafka's clients. */
  public static final String COMMAND_CONFIG = "command.config";

  /** A file with the learner's configuration. */
  public static final String CONFIG = "config";

  /** What a context may hold, in the order in which it is shown. */
  public static final List<String> NAMES = List.of(APP_ID, SERVERS, COMMAND_CONFIG, CONFIG);

  private static final Pattern HOSTS =
      Pattern.compile("[^\\s,@/]+:[0-9]{1,5}(\\s*,\\s*[^\\s,@/]+:[0-9]{1,5})*");

  public Context {
    settings = Map.copyOf(settings);
  }

  /** One of its settings. */
  public Optional<String> find(String name) {
    return Optional.ofNullable(settings.get(name));
  }

  /** A file that it names. */
  public Optional<Path> file(String name) {
    return find(name).map(Path::of);
  }

  /** The same with other settings in the place of its own, where these are given. */
  public Context with(Map<String, String> others) {
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.putAll(others);
    return new Context(all);
  }

  /** What it holds, in one line. */
  public String text() {
    List<String> parts = new ArrayList<>();
    NAMES.forEach(name -> find(name).ifPresent(value -> parts.add(name + " " + value)));
    return String.join(", ", parts);
  }

  /** What is wrong with a value, as "must be ..., but ..."; empty where nothing is. */
  static Optional<String> fault(String name, String value) {
    if (value.isBlank()) {
      return Optional.of(name + " must have a value, but is empty");
    }
    if (name.equals(SERVERS) && !HOSTS.matcher(value.strip()).matches()) {
      return Optional.of(name + " must be HOST:PORT, or several with commas between, but is not:"
          + " user names and passwords belong into the file of " + COMMAND_CONFIG);
    }
    if ((name.equals(COMMAND_CONFIG) || name.equals(CONFIG)) && !Path.of(value).isAbsolute()) {
      return Optional.of(name + " must be an absolute path, but was " + value);
    }
    return Optional.empty();
  }
}
