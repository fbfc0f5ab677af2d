package dev.sotto.app.command;

import dev.sotto.app.scoring.ModelSource.FileModel;
import dev.sotto.app.view.VersionDescription;
import dev.sotto.app.view.WeightText;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.description.Section;
import dev.sotto.serdes.record.StartingModel;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.LedgerLookup;
import dev.sotto.topology.read.NewestVersions;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.start.ModelFiles;
import dev.sotto.topology.start.PublishedRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints published model versions, whole and verified ones only. */
@Command(
    name = "snapshot",
    description = {
      "Print the newest published version of every model (or one version), from committed data, or"
          + " the version of a model file.",
      "Only versions whose chunks are all there and whose digest fits are shown: consistent with"
          + " itself and with the ledger, which ledgerMatches says (null where the ledger has no"
          + " such round).",
      "Prints whether to trust it, what it has cost and what moves its score most; with --all also"
          + " the manifest, the first weights, and what each number adds to the score, as a curve"
          + " over its range, in its own units.",
      "Ends with 10 where there is none, or one that its ledger entry does not confirm."
    })
public final class SnapshotCommand implements Callable<Integer> {
  @Mixin
  private VersionSource source;

  @Option(
      names = "--model",
      paramLabel = "MODEL[@VERSION]",
      converter = NamedVersion.Converter.class,
      description =
          "Only this model, or only this version of it: a number, or newest (the default); old"
              + " ones are compacted away in time.")
  private NamedVersion asked;

  @Option(
      names = "--version-number",
      paramLabel = "N",
      hidden = true,
      description = "As MODEL@N, of every model.")
  private Long askedNumber;

  @Option(
      names = "--weights",
      description = "As --all, with all weights and curves, not just the first few.")
  private boolean weights;

  @Mixin
  private DetailOptions detail;

  @Option(
      names = "--value",
      paramLabel = "FEATURE=TEXT",
      description =
          "Where a value of a category is, and which of those asked for share its weight; of a"
              + " cross the texts with commas between.")
  private List<String> values = List.of();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = {
        "Also write the version and its ledger entries to a model file, at which another run can"
            + " begin (start.from). For a learner of one model."
      })
  private Path out;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  private String model;
  private Long version;

  @Override
  public Integer call() {
    OptionalLong number = ModelOptions.number(asked, askedNumber);
    version = number.isPresent() ? (Long) number.getAsLong() : null;
    model = asked == null ? null : asked.model();
    source.requireNamed();
    Optional<FileModel> file = source.inFile();
    if (file.isPresent()) {
      return shownFromFile(file.get());
    }
    Found read = version == null && model == null ? newest() : version == null ? of(model) : all();
    Map<String, PublishedModel> found = read.versions();
    if (found.isEmpty()) {
      throw new SottoException(
          FailureKind.UNVERIFIED,
          "topic " + Names.snapshots(source.appId()) + " holds no whole version"
              + (model == null ? "" : " of model " + model)
              + (version == null ? "" : " with number " + version)
              + (read.damaged() == 0 ? "" : "; " + read.damaged() + " records did not verify"));
    }
    LedgerLookup ledger =
        new LedgerLookup(found.values().stream().map(PublishedModel::manifest).toList());
    // Behind the snapshots: an entry is committed with its version, or before it.
    try (CommittedTopic topic =
        new CommittedTopic(source.clients(), Names.ledger(source.appId()))) {
      topic.readToEnd(record -> ledger.accept(record.value()));
    }
    if (json) {
      System.out.println(JsonRenderer.of(Section.untitled()
          .fact("unverifiedManifests", read.damaged())
          .items(
              "snapshots",
              found.values().stream().map(each -> described(each, ledger)).toList())));
    } else {
      found.values().forEach(each -> print(described(each, ledger), each));
    }
    int code = unconfirmed(found.keySet(), ledger);
    if (out != null && code == ExitCode.OK.code()) {
      write();
    }
    return code;
  }

  /** A file has one version, and no ledger that could confirm it. */
  private int shownFromFile(FileModel read) {
    if (model != null || version != null || out != null) {
      throw new SottoException(
          FailureKind.USAGE,
          "--model and --out are of published versions, but --model-file names a"
              + " file; leave them out");
    }
    PublishedModel one = read.model().published();
    Section version =
        VersionDescription.of(one, VersionDescription.Confirmed.NO_LEDGER, null, weights);
    if (json) {
      System.out.println(JsonRenderer.of(
          Section.untitled().items("snapshots", List.of(version.fact("notes", read.notes())))));
    } else {
      print(version, one);
      read.notes().forEach(each -> System.out.println("note: " + each));
    }
    return ExitCode.OK.code();
  }

  /** Versions by model, and how many did not verify. */
  private record Found(Map<String, PublishedModel> versions, long damaged) {}

  /** The newest version of every model of the ledger, from the end of the topic. */
  private Found newest() {
    try (NewestVersions topic =
        new NewestVersions(source.clients(), Names.snapshots(source.appId()))) {
      Set<String> models = new TreeSet<>();
      try (CommittedTopic entries =
          new CommittedTopic(source.clients(), Names.ledger(source.appId()))) {
        entries.readToEnd(record -> {
          if (record.key() != null) {
            models.add(new String(record.key(), StandardCharsets.UTF_8));
          }
        });
      }
      topic.ofPartitions().forEach(each -> models.add(each.manifest().modelId()));
      return new Found(topic.of(models), topic.damaged());
    }
  }

  private Found of(String one) {
    try (NewestVersions topic =
        new NewestVersions(source.clients(), Names.snapshots(source.appId()))) {
      return new Found(topic.of(Set.of(one)), topic.damaged());
    }
  }

  /** A version by its number: it may lie anywhere. */
  private Found all() {
    SnapshotAssembler assembler = new SnapshotAssembler();
    Map<String, PublishedModel> found = new TreeMap<>();
    try (CommittedTopic topic =
        new CommittedTopic(source.clients(), Names.snapshots(source.appId()))) {
      topic.readToEnd(record -> assembler
          .acceptAny(record.key(), record.value())
          .filter(each -> model == null || model.equals(each.manifest().modelId()))
          .filter(each -> version == each.manifest().version())
          .ifPresent(each -> found.put(each.manifest().modelId(), each)));
    }
    return new Found(found, assembler.damaged());
  }

  /** With the whole ledger checked: what a file states is not checked again. */
  private void write() {
    StartingModel published = new PublishedRun(source.clients(), source.appId())
        .version(version == null ? OptionalLong.empty() : OptionalLong.of(version));
    try {
      ModelFiles.write(out, published);
    } catch (IOException unwritable) {
      throw new SottoException(
          FailureKind.USAGE,
          "--out must be a file that can be written, but " + out + " cannot: " + unwritable,
          unwritable);
    }
    System.err.println("wrote " + published.source() + " to " + out
        + "; to begin another run there: start.from: " + out);
  }

  private static int unconfirmed(Set<String> models, LedgerLookup ledger) {
    List<String> wrong = models.stream()
        .filter(each -> !Boolean.TRUE.equals(ledger.matches(each)))
        .toList();
    wrong.forEach(each -> System.err.println("sotto: the version shown of model " + each
        + (ledger.matches(each) == null
            ? " has no ledger entry"
            : " is not the one that its ledger entry is about")
        + ": do not use it"));
    return (wrong.isEmpty() ? ExitCode.OK : ExitCode.UNVERIFIED).code();
  }

  private Section described(PublishedModel each, LedgerLookup ledger) {
    String modelId = each.manifest().modelId();
    return VersionDescription.of(
        each,
        VersionDescription.Confirmed.of(ledger.matches(modelId)),
        ledger.entry(modelId).orElse(null),
        weights);
  }

  private void print(Section version, PublishedModel model) {
    System.out.print(weights ? TextRenderer.of(version) : detail.text(version));
    asked(new WeightText(model)).forEach(System.out::println);
  }

  private List<String> asked(WeightText text) {
    try {
      return text.values(values);
    } catch (IllegalArgumentException unknown) {
      throw new SottoException(FailureKind.USAGE, "--value: " + unknown.getMessage(), unknown);
    }
  }
}
