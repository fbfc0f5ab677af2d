package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands in blocks of the README and of the guides, run as they are printed, in a folder that
 * looks like a checkout. What stands below a command in its block is compared with what it prints,
 * by the first words of lines. The embedded broker listens at localhost:9092.
 */
@Tag("long")
class ShownBlocksLongIT {
  private static final Path HOME =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..").normalize();

  /** What a block runs; a line that ends in three dots stands for a longer one. */
  private static final Pattern COMMAND = Pattern.compile(
      " {4}(\\./sotto|echo|python3|curl|docker|kubectl|helm|mvn|tar|ln|source|bin/|/opt/sotto"
          + "|kafka-[a-z-]+\\.sh|[A-Z]+=).*");

  private static final Pattern VARIABLE = Pattern.compile("[A-Z]+=\"[^\"]*\"");

  private static final String CONTAINERS = "needs Docker, a Kubernetes cluster or Helm";
  private static final String BUILD = "builds; the build itself does that";
  private static final String CONNECT = "needs Kafka Connect: ConnectorsIT";
  private static final String LABELS = "needs a learner with late labels: LateLabelsIT";
  private static final String REGISTRY = "needs a schema registry: RegistryServerLongIT";
  private static final String PACKAGES = "needs packages of Python for Kafka";
  private static final String KAFKA = "needs Kafka's own scripts";

  /** Beginnings of commands that cannot run here, by page, and why. */
  private static final Map<String, Map<String, String>> NOT_RUN = Map.ofEntries(
      Map.entry("connect.md", Map.of("mvn", BUILD, "bin/connect", CONNECT, "curl", CONNECT)),
      Map.entry(
          "containers.md",
          Map.of(
              "docker", CONTAINERS,
              "kubectl", CONTAINERS,
              "helm", CONTAINERS,
              "./sotto describe -c sotto.yaml --strimzi", CONTAINERS)),
      Map.entry("contexts.md", Map.of("source", "needs sotto on the PATH: ProgramNameTest")),
      Map.entry(
          "installation.md", Map.of("mvn", BUILD, "tar", BUILD, "ln", BUILD, "/opt/sotto", BUILD)),
      Map.entry(
          "late-labels.md",
          Map.of(
              "./sotto record", LABELS,
              "./sotto verify", LABELS,
              "./sotto replay", LABELS)),
      Map.entry(
          "operations.md", Map.of("./sotto reset", "needs a broker without its learner: ResetIT")),
      Map.entry(
          "python.md",
          Map.of(
              "python3 python/sotto_models.py versions", PACKAGES,
              "python3 python/sotto_models.py check", PACKAGES,
              "python3 python/sotto_models.py score    --bootstrap-server", PACKAGES,
              "CLASSPATH", KAFKA)),
      Map.entry("registry.md", Map.of("./sotto predict", REGISTRY, "./sotto score", REGISTRY)),
      Map.entry(
          "rounds.md",
          Map.of("./sotto run", "needs a topic of flights and its own learner: RoundsIT")),
      Map.entry("scaling.md", Map.of("kafka-configs.sh", KAFKA)));

  private static final String MADE = "./sotto init visits.csv --label bought --unit visitor"
      + " && sed -i 's/^loss: TODO/loss: logistic #/; s/^label.classes: TODO/label.classes: [yes] #/"
      + "' sotto.yaml";

  private static final String LEARNED =
      "./sotto learn visits.csv --label bought --loss logistic --unit visitor";

  /** What a reader has done before a command, by page and beginning of the command. */
  private static final Map<String, Map<String, String>> BEFORE = Map.of(
      "client.md", Map.of("./sotto snapshot", LEARNED),
      "contexts.md",
          Map.of(
              "./sotto ledger",
              "./sotto context set prod --app-id minimal --bootstrap-server localhost:9092"),
      "init.md", Map.of("./sotto run", MADE, "./sotto replay", MADE),
      "learn.md",
          Map.of(
              "./sotto learn visits.csv -c", LEARNED + " && rm visits-sotto/model.json",
              "./sotto predict", LEARNED + " && cp visits.csv new.csv"),
      "onnx.md",
          Map.of(
              "./sotto export --onnx --out model.onnx --model-file", "rm model.onnx; " + LEARNED),
      "operations.md", Map.of("./sotto key new.key", "rm -f new.key"),
      "plan.md",
          Map.of(
              "./sotto plan -c sotto.yaml --all --set algorithm=localized-erm",
              "sed -i /metrics.share/d sotto.yaml"),
      "recordings.md", Map.of("./sotto record -c", "rm points.rec points.rec.order"),
      "serve.md",
          Map.of(
              "curl",
              "curl -sf --retry 50 --retry-all-errors --retry-delay 1"
                  + " localhost:8080/v2/health/ready"),
      "verify.md",
          Map.of(
              "./sotto verify points.rec -c sotto.yaml --ledger",
              "./sotto record --topic minimal.ledger -c sotto.yaml --out L.avro"
                  + " && ./sotto record --topic minimal.snapshots -c sotto.yaml --out S.avro",
              "./sotto record -c",
              "rm points.rec points.rec.order L.avro"));

  /** Pages of which each command is run without what the ones before have written. */
  private static final Set<String> ALTERNATIVES = Set.of("init.md", "learn.md");

  @TempDir
  private Path folder;

  private final List<Process> inBackground = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private int number;

  @AfterEach
  void stop() throws InterruptedException {
    stop(inBackground);
  }

  private static void stop(List<Process> all) throws InterruptedException {
    for (Process each : all) {
      each.destroy();
      each.waitFor(60, TimeUnit.SECONDS);
    }
    all.clear();
  }

  /** A command, and the lines that stand below it in its block. */
  private record Shown(String command, List<String> output) {
    boolean isAbbreviated() {
      return command.contains(" ...") || command.contains("…");
    }
  }

  /** Those of blocks that are set in by four blanks, continued ones joined. */
  private static List<Shown> shown(Path page) throws IOException {
    List<Shown> all = new ArrayList<>();
    boolean inBlock = false;
    boolean inFence = false;
    for (String line :
        Files.readString(page).replaceAll("\\\\\\R\\s*", "").lines().toList()) {
      inFence ^= line.startsWith("```");
      boolean indented = line.startsWith("    ") && !inFence;
      if (indented && COMMAND.matcher(line).matches()) {
        all.add(new Shown(ShownCommandsTest.command(line), new ArrayList<>()));
        inBlock = true;
      } else if (indented && inBlock) {
        all.get(all.size() - 1).output().add(line.substring(4));
      } else if (!line.isBlank()) {
        inBlock = false;
      }
    }
    return all;
  }

  private Process start(Path where, String command) throws IOException {
    ProcessBuilder bash = new ProcessBuilder("bash", "-c", "set -o pipefail; " + command);
    bash.directory(where.toFile());
    bash.environment().keySet().removeIf(each -> each.startsWith("SOTTO_"));
    bash.environment().put("SOTTO_NO_BUILD", "1");
    bash.environment().put("SOTTO_LOG_DIR", folder.resolve("logs").toString());
    bash.environment().put("HOME", where.toString());
    File output = output();
    return bash.redirectErrorStream(true)
        .redirectInput(new File("/dev/null"))
        .redirectOutput(output)
        .start();
  }

  private File output() {
    return folder.resolve("output-" + number).toFile();
  }

  private String printed() throws IOException {
    return Files.readString(output().toPath());
  }

  private void run(Path where, String command) throws Exception {
    number++;
    Process process = start(where, command);
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).as(command).isTrue();
    assertThat(process.exitValue()).as("%s%n%s", command, printed()).isZero();
  }

  /** One that goes on until it is stopped: the next command runs once it has said that it works. */
  private void background(Path where, String command, String working) throws Exception {
    number++;
    Process process = start(where, "exec " + command);
    inBackground.add(process);
    await().atMost(Duration.ofMinutes(2)).until(() -> {
      assertThat(process.isAlive()).as("%s%n%s", command, printed()).isTrue();
      return printed().contains(working);
    });
  }

  private void checkout(Path where) throws IOException {
    Files.createDirectories(where);
    for (String each : List.of("sotto", "examples", "python", "docs")) {
      Files.createSymbolicLink(where.resolve(each), HOME.resolve(each));
    }
  }

  @Test
  void theReadmesCommandsDoWhatItSays() throws Exception {
    checkout(folder);
    List<Shown> all = shown(HOME.resolve("README.md"));
    for (Shown each : all) {
      String command = each.command();
      if (command.contains("sotto run ") && !command.contains("--check")) {
        background(folder, command, "\nrunning: ");
      } else if (command.contains("sotto score ")) {
        background(folder, command, "");
      } else if (command.contains("sotto ledger ")) {
        await().atMost(Duration.ofMinutes(2)).until(() -> {
          run(folder, command);
          return Pattern.compile("^ +44-45 ", Pattern.MULTILINE)
              .matcher(printed())
              .find();
        });
      } else {
        run(folder, command);
      }
      printsWhatIsShown("README.md", each);
    }
    assertThat(all).hasSizeGreaterThan(5);
  }

  /** The first words of the lines below a command are the first words of lines that it prints. */
  private void printsWhatIsShown(String page, Shown shown) throws IOException {
    Set<String> words = printed().lines().map(ShownBlocksLongIT::first).collect(Collectors.toSet());
    for (String line : shown.output()) {
      String word = first(line);
      if (word.matches("[A-Za-z]+:?")) {
        assertThat(words).as("%s: %s%n%s", page, shown.command(), printed()).contains(word);
      }
    }
  }

  private static String first(String line) {
    return line.strip().split("\\s+", 2)[0];
  }

  /** The files that guides name as the reader's own. */
  private Map<String, String> files() throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < 17_000; i++) {
      double x = (i * 37 % 200 - 100) / 100.0;
      points.append(String.format(
          Locale.ROOT,
          "{\"x\": %.2f, \"y\": %d, \"user\": \"u%d\"}%n",
          x,
          (x > 0) == (i % 7 != 0) ? 1 : 0,
          i % 500));
    }
    files.put("events.jsonl", points.toString());
    files.put("new.jsonl", "{\"x\": 0.3}\n");
    StringBuilder numbers = new StringBuilder("x,y,cnt\n");
    for (int i = 0; i < 9_000; i++) {
      numbers.append(i % 50).append(',').append(i % 2).append(',').append(2 * (i % 50) + 7);
      numbers.append('\n');
    }
    files.put("events.csv", numbers.toString());
    files.put("rents.csv", numbers.toString());
    files.put("visits.csv", Files.readString(HOME.resolve("examples/visits.csv")));
    files.put(
        "visit.avsc",
        "{\"type\": \"record\", \"name\": \"Visit\", \"fields\": ["
            + "{\"name\": \"pages\", \"type\": \"int\"},"
            + "{\"name\": \"bought\", \"type\": \"boolean\"}]}");
    files.put(
        "visit.proto", "syntax = \"proto3\"; message Visit { int32 pages = 1; bool bought = 2; }");
    files.put("client.properties", "client.id=ada\n");
    String minimal = Files.readString(HOME.resolve("examples/minimal.yaml"));
    files.put("sotto.yaml", minimal + "metrics.share: 0.1\n");
    files.put("a.yaml", minimal);
    files.put("b.yaml", minimal.replace("epsilon: 2", "epsilon: 1"));
    return files;
  }

  private void write(Path where, Map<String, String> files) throws IOException {
    for (Map.Entry<String, String> each : files.entrySet()) {
      Files.writeString(where.resolve(each.getKey()), each.getValue(), StandardCharsets.UTF_8);
    }
  }

  private static String matching(Map<String, String> byBeginning, String command) {
    return byBeginning.keySet().stream()
        .filter(command::startsWith)
        .max(Comparator.comparingInt(String::length))
        .orElse(null);
  }

  private static List<Path> guides() throws IOException {
    try (Stream<Path> docs = Files.list(HOME.resolve("docs"))) {
      return docs.filter(each -> each.toString().endsWith(".md")).sorted().toList();
    }
  }

  @Test
  void theGuidesCommandsDoWhatTheySay() throws Exception {
    Path learner = folder.resolve("learner");
    checkout(learner);
    Map<String, String> files = files();
    write(learner, files);
    run(learner, "./sotto key noise.key");
    background(learner, "./sotto run -c sotto.yaml --embedded", "\nrunning: ");
    String at = " --bootstrap-server localhost:9092";
    run(learner, "./sotto play events.jsonl --topic points --arrival-times" + at);
    run(learner, "./sotto play visits.csv --topic visits --create" + at);
    await().atMost(Duration.ofMinutes(2)).until(() -> {
      run(learner, "./sotto ledger --app-id minimal --last 0" + at);
      return Pattern.compile("^ +\\d+-512 ", Pattern.MULTILINE)
          .matcher(printed())
          .find();
    });
    run(learner, "./sotto record -c sotto.yaml --out points.rec");
    run(learner, "gzip -k events.jsonl");
    Files.copy(learner.resolve("events.jsonl.gz"), learner.resolve("clicks.jsonl.gz"));
    Files.copy(learner.resolve("points.rec"), learner.resolve("clicks.avro"));
    Files.copy(learner.resolve("points.rec"), learner.resolve("recording.avro"));
    int ran = 0;
    Set<String> leftOut = new HashSet<>();
    for (Path page : guides()) {
      ran += page(page, learner, leftOut);
    }
    assertThat(faults).isEmpty();
    assertThat(ran).isGreaterThan(60);
    Set<String> listed = new LinkedHashSet<>();
    NOT_RUN.forEach((page, all) -> all.keySet().forEach(each -> listed.add(page + ": " + each)));
    assertThat(leftOut).as("commands that are not run are there").isEqualTo(listed);
  }

  /** Runs a page's commands in a folder of its own; returns how many. */
  private int page(Path page, Path learner, Set<String> leftOut) throws Exception {
    String name = page.getFileName().toString();
    Path where = null;
    int ran = 0;
    String variables = "";
    List<Process> before = List.copyOf(inBackground);
    for (Shown each : shown(page)) {
      String command = each.command();
      String because = matching(NOT_RUN.getOrDefault(name, Map.of()), command);
      if (because != null) {
        leftOut.add(name + ": " + because);
        continue;
      }
      if (each.isAbbreviated()) {
        continue;
      }
      if (VARIABLE.matcher(command).matches()) {
        variables += command + "; ";
        continue;
      }
      ran++;
      if (where == null || ALTERNATIVES.contains(name)) {
        where = folder.resolve(name + "-" + ran);
        copy(learner, where, ALTERNATIVES.contains(name));
      }
      try {
        String prepared = matching(BEFORE.getOrDefault(name, Map.of()), command);
        if (prepared != null) {
          run(where, BEFORE.get(name).get(prepared));
        }
        if (command.startsWith("./sotto serve")) {
          background(where, command, "listening on ");
        } else if (command.startsWith("./sotto score")) {
          background(where, command, "");
        } else {
          run(where, variables + command);
          printsWhatIsShown(name, each);
        }
      } catch (AssertionError | ConditionTimeoutException wrong) {
        faults.add(name + ": " + command + "\n" + wrong.getMessage());
      }
    }
    List<Process> started = new ArrayList<>(inBackground);
    started.removeAll(before);
    inBackground.retainAll(before);
    stop(started);
    return ran;
  }

  /** A folder with the reader's files; where a configuration is to be made, without one. */
  private void copy(Path from, Path to, boolean withoutConfiguration) throws IOException {
    checkout(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        String name = each.getFileName().toString();
        if (!Files.exists(to.resolve(name))
            && !(withoutConfiguration && Set.of("sotto.yaml", "noise.key").contains(name))) {
          Files.copy(each, to.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }
}
