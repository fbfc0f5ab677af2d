package dev.sotto.app.context;

import dev.sotto.app.predict.WholeFile;
import dev.sotto.config.key.ConfigText;
import dev.sotto.config.source.ConfigEntry;
import dev.sotto.config.source.YamlFile;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.learner.settings.NameSuggestion;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The contexts of a person: a small file of YAML in the folder of their configuration, which only
 * they may write.
 */
public final class Contexts {
  private static final String CURRENT = "current";
  private static final String ALL = "contexts.";
  private static final String FORM = "[A-Za-z0-9][A-Za-z0-9_-]{0,62}";
  private static final String HEADING = "# Learners by name: sotto context --help. No secrets here:"
      + " a context names the files that hold them.\n";

  private final Path file;
  private final SortedMap<String, Context> contexts = new TreeMap<>();
  private String current;

  private Contexts(Path file) {
    this.file = file;
  }

  /**
   * Those of the person whose environment this is; none where there is no file.
   *
   * @throws SottoException where the file cannot be used, or others may write it
   */
  public static Contexts read(Map<String, String> environment) {
    Contexts all = new Contexts(file(environment));
    if (Files.exists(all.file)) {
      try {
        requireUnshared(all.file);
        all.parse(Files.readString(all.file));
      } catch (IOException unreadable) {
        throw fault(all.file + " cannot be read: " + unreadable.getMessage());
      }
    }
    return all;
  }

  /** {@code $XDG_CONFIG_HOME/sotto/contexts.yaml}, otherwise below {@code ~/.config}. */
  private static Path file(Map<String, String> environment) {
    String folder = environment.getOrDefault("XDG_CONFIG_HOME", "");
    Path base = folder.startsWith("/")
        ? Path.of(folder)
        : Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".config");
    return base.resolve("sotto").resolve("contexts.yaml");
  }

  /** Whoever may write it decides to which brokers credentials go. */
  private static void requireUnshared(Path file) throws IOException {
    if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
      Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(file);
      if (allowed.contains(PosixFilePermission.GROUP_WRITE)
          || allowed.contains(PosixFilePermission.OTHERS_WRITE)) {
        throw fault(file + " must be writable by its owner alone, since it decides to which"
            + " brokers credentials are sent, but others may write it; chmod 600 it");
      }
    }
  }

  private void parse(String text) {
    YamlFile read = YamlFile.read(file.toString(), text);
    List<String> faults =
        new ArrayList<>(read.errors().stream().map(ConfigError::message).toList());
    Map<String, Map<String, String>> found = new LinkedHashMap<>();
    read.settings().forEach((key, entry) -> {
      String value = value(entry);
      String name = name(key);
      String setting = name.isEmpty() ? "" : key.substring(ALL.length() + name.length() + 1);
      if (key.equals(CURRENT)) {
        current = value;
      } else if (!Context.NAMES.contains(setting)) {
        faults.add(key + " must be " + CURRENT + ", or one of " + String.join(", ", Context.NAMES)
            + " below " + ALL + "NAME, but is not ("
            + entry.origin() + ")");
      } else {
        Context.fault(setting, value)
            .ifPresent(why -> faults.add(ALL + name + "." + why + " (" + entry.origin() + ")"));
        found.computeIfAbsent(name, each -> new LinkedHashMap<>()).put(setting, value);
      }
    });
    if (current != null && !found.containsKey(current)) {
      faults.add(CURRENT + " must be one of the contexts, but was " + current + " (" + file + ")");
    }
    if (!faults.isEmpty()) {
      throw fault(String.join(System.lineSeparator(), faults));
    }
    found.forEach((name, settings) -> contexts.put(name, new Context(settings)));
  }

  /** The context's name in a key; empty where there is none. */
  private static String name(String key) {
    int end = key.startsWith(ALL) ? key.indexOf('.', ALL.length()) : -1;
    String name = end < 0 ? "" : key.substring(ALL.length(), end);
    return name.matches(FORM) ? name : "";
  }

  private static String value(ConfigEntry entry) {
    return entry.value() instanceof List<?> items
        ? items.stream().map(String::valueOf).collect(Collectors.joining(","))
        : String.valueOf(entry.value());
  }

  private static SottoException fault(String what) {
    return new SottoException(FailureKind.CONFIGURATION, what);
  }

  private static SottoException misused(String what) {
    return new SottoException(FailureKind.USAGE, what);
  }

  /** Where they are kept. */
  public Path file() {
    return file;
  }

  /** All of them by name. */
  public SortedMap<String, Context> all() {
    return contexts;
  }

  /** The one that commands use where no other one is named. */
  public Optional<String> current() {
    return Optional.ofNullable(current);
  }

  /**
   * One of them.
   *
   * @throws SottoException where there is none of that name
   */
  public Context get(String name) {
    Context found = contexts.get(name);
    if (found == null) {
      throw misused("there is no context " + name + " in " + file
          + NameSuggestion.hint(NameSuggestion.of(name, contexts.keySet()))
          + (contexts.isEmpty() ? "; make one with: sotto context set" : ""));
    }
    return found;
  }

  /**
   * Makes a context, or gives one other settings; the first becomes the current one.
   *
   * @throws SottoException where name or settings cannot be
   */
  public Context set(String name, Map<String, String> settings) {
    if (!name.matches(FORM)) {
      throw misused("a context's name must be letters, digits, - and _, but was " + name);
    }
    settings.forEach((key, value) -> Context.fault(key, value).ifPresent(why -> {
      throw misused(why);
    }));
    Context made = contexts.getOrDefault(name, new Context(Map.of())).with(settings);
    if (made.settings().isEmpty()) {
      throw misused("context " + name + " must name brokers, a learner or a configuration: give"
          + " --bootstrap-server, --app-id or -c FILE");
    }
    contexts.put(name, made);
    current = contexts.size() == 1 ? name : current;
    return made;
  }

  /** Makes one the current one. */
  public void use(String name) {
    get(name);
    current = name;
  }

  /** Takes one away. */
  public void delete(String name) {
    get(name);
    contexts.remove(name);
    current = name.equals(current) ? null : current;
  }

  /** Writes the file anew, as a whole, for its owner alone; none where nothing is left. */
  public void write() {
    try {
      if (contexts.isEmpty()) {
        Files.deleteIfExists(file);
        return;
      }
      Files.createDirectories(file.getParent());
      WholeFile.writeForOwner(file, text());
    } catch (IOException unwritable) {
      throw fault(file + " must be writable, but is not: " + unwritable.getMessage());
    }
  }

  private String text() {
    StringBuilder text = new StringBuilder(HEADING);
    if (current != null) {
      text.append(CURRENT + ": ").append(ConfigText.scalar(current)).append('\n');
    }
    text.append("contexts:\n");
    contexts.forEach((name, context) -> {
      text.append("  ").append(ConfigText.scalar(name)).append(":\n");
      Context.NAMES.forEach(key -> context
          .find(key)
          .ifPresent(value ->
              text.append("    " + key + ": ").append(ConfigText.scalar(value)).append('\n')));
    });
    return text.toString();
  }
}
