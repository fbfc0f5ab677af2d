package dev.sotto.app.command;

import dev.sotto.app.init.ConfigurationFile;
import dev.sotto.app.init.SampledEvents;
import dev.sotto.app.init.UnitChoice;
import dev.sotto.app.predict.WholeFile;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.ApplicationKeys;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes a commented configuration for the events of a file, a topic or a schema. */
@Command(
    name = "init",
    description = {
      "Write a commented configuration for your events, from a sample, a topic or an Avro schema.",
      "Only names and types of fields are taken from the sample. What is still to be stated from"
          + " public knowledge stands there as TODO, and run --check names it. With"
          + " --sample-is-public, values are looked at too: bounds, classes, the label's loss.",
      "Makes a noise key too, unless there is one. docs/init.md shows it all."
    })
public final class InitCommand implements Callable<Integer> {
  private static final String STANDARD_OUTPUT = "-";
  private static final Path KEY = Path.of("noise.key");
  private static final int MOST_NOTES = 20;
  private static final Pattern FEATURES =
      Pattern.compile("features\\.(numeric|categorical):|features\\.dimension: .*");

  @Spec
  private CommandSpec spec;

  @Mixin
  private SampleInput input;

  @Option(
      names = "--sample-is-public",
      description =
          "The sample is public or made up: propose bounds, classes and more from its values.")
  private boolean isPublic;

  @Option(names = "--label", paramLabel = "FIELD", description = "The field to be predicted.")
  private String label;

  @ArgGroup(exclusive = true)
  private Unit unit = new Unit();

  static final class Unit {
    @Option(
        names = "--unit",
        paramLabel = "FIELD",
        description = "Hide everything with the same id in this field: a person, a device.")
    private String field;

    @Option(names = "--unit-key", description = "The same, with the record's key as the id.")
    private boolean key;

    @Option(names = "--unit-record", description = "Hide each record by itself.")
    private boolean record;

    UnitChoice choice() {
      if (field != null) {
        return UnitChoice.field(field);
      }
      return key ? UnitChoice.KEY : record ? UnitChoice.RECORD : UnitChoice.NOT_STATED;
    }
  }

  @Option(
      names = "--app-id",
      paramLabel = "ID",
      description = "The learner's app.id. Default: the name of the sample.")
  private String appId;

  @Option(
      names = "--noise-key-file",
      paramLabel = "FILE",
      description = "The noise key, which is made where there is none. Default: noise.key, beside"
          + " the file that is written.")
  private Path keyFile;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      defaultValue = "sotto.yaml",
      description =
          "The file to write, - for standard output (and no key). Default: ${DEFAULT-VALUE}.")
  private String out;

  @Option(names = "--force", description = "Replace the file where there is one.")
  private boolean force;

  @Override
  public Integer call() {
    check();
    SampledEvents events = input.look(isPublic);
    String text = new ConfigurationFile(events, input.source(appId()), appId())
        .withMetrics()
        .text(label, unit.choice(), key().toString());
    PrintWriter errors = spec.commandLine().getErr();
    notes(events, text, label, unit, errors);
    PrintWriter printed = spec.commandLine().getOut();
    if (out.equals(STANDARD_OUTPUT)) {
      printed.print(text);
    } else {
      write(text);
      printed.println("wrote " + out + " for " + input.name());
      printed.println(noiseKey(key()));
      next(text, printed);
    }
    printed.flush();
    return ExitCode.OK.code();
  }

  /** What somebody inside should know of the sample before the file is used. */
  static void notes(
      SampledEvents events, String text, String label, Unit unit, PrintWriter errors) {
    if (events.unreadableRecords() > 0) {
      errors.println("sotto: " + events.unreadableRecords() + " of " + events.records()
          + " records could not be read and were left out; the first, " + events.firstFault());
    }
    List<String> notes = events.notes(label, unit.field);
    notes.stream().limit(MOST_NOTES).forEach(each -> errors.println("sotto: " + each));
    if (notes.size() > MOST_NOTES) {
      errors.println("sotto: and " + (notes.size() - MOST_NOTES) + " more fields like these");
    }
    if (text.lines().noneMatch(line -> FEATURES.matcher(line).matches())) {
      errors.println(
          "sotto: no field is left as a feature, and without one the model is a constant;"
              + " the comments say why each was left out");
    }
    errors.flush();
  }

  private void check() {
    input.problem().ifPresent(problem -> {
      throw wrong(problem);
    });
    if (appId != null && ApplicationKeys.APP_ID.domain().read(appId) == null) {
      throw wrong(
          "--app-id must be " + ApplicationKeys.APP_ID.domain().words() + ", but was " + appId);
    }
    if (!out.equals(STANDARD_OUTPUT) && Files.exists(Path.of(out)) && !force) {
      throw exists();
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private SottoException exists() {
    return new SottoException(
        FailureKind.USAGE,
        out + " must be a new file, but exists; name another one with --out, or replace it with"
            + " --force");
  }

  /** Beside the configuration, which names it from the current folder as all its paths. */
  private Path key() {
    if (keyFile != null) {
      return keyFile;
    }
    return out.equals(STANDARD_OUTPUT) ? KEY : Path.of(out).resolveSibling(KEY);
  }

  private String appId() {
    return appId == null ? appId(input.shortName()) : appId;
  }

  /** The name of a topic or file, as far as an app.id can have it. */
  static String appId(String name) {
    String plain = name.replaceAll("[^A-Za-z0-9_-]+", "-").replaceAll("^-+|-+$", "");
    return ApplicationKeys.APP_ID.domain().read(plain) == null ? "my-learner" : plain;
  }

  private void write(String text) {
    try {
      WholeFile.write(Path.of(out), text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException unwritable) {
      throw new SottoException(
          FailureKind.USAGE,
          out + " could not be written: " + unwritable
              + "; name a file in a folder that you can write to",
          unwritable);
    }
  }

  /** Makes one unless there is one; says which it is. */
  static String noiseKey(Path keyFile) {
    try {
      return "made noise key " + NoiseKey.create(keyFile).id() + " in " + keyFile
          + "; keep a copy as long as the model lives, and show it to nobody";
    } catch (FileAlreadyExistsException there) {
      return "the noise key is the one in " + keyFile + ", which was there";
    } catch (IOException | IllegalArgumentException unusable) {
      throw new SottoException(
          FailureKind.USAGE,
          keyFile + " could not be made: " + unusable + "; make one with: " + ProgramName.called()
              + " key FILE",
          unusable);
    }
  }

  private void next(String text, PrintWriter printed) {
    int left = ConfigurationFile.toBeStated(text).size();
    printed.println("next:");
    if (left > 0) {
      printed.println(
          "  state what is TODO in " + out + ", on " + left + (left == 1 ? " line" : " lines"));
    }
    String sotto = "  " + ProgramName.called();
    String config = ProgramName.quoted(out);
    printed.println(sotto + " run -c " + config + " --check");
    input
        .file()
        .map(file -> ProgramName.quoted(file.toString()))
        .ifPresent(file -> printed.println(sotto + " replay " + file + " -c " + config));
  }
}
