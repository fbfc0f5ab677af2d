package dev.sotto.app.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.range.NumberForm;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapBuilder;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.MissingMarks;
import dev.sotto.serdes.feature.NumberComma;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Python reader scores as we do, and refuses what we refuse; skipped without a Python. */
class PythonScoresTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NAMES = "softmax(3)";
  private static String python;

  @TempDir
  Path folder;

  @BeforeAll
  static void findPython() {
    python = Python.find("");
    assumeTrue(python != null, "there is no python3 here: the Python reader is not tested");
  }

  private static FeatureMap map(String loss) {
    LabelRule rule = loss.contains(NAMES)
        ? new LabelRule.Names(List.of("\"\u00e4\"", "\"-1.5e1\"", "\"\"True\"\""))
        : loss.equals("squared")
            ? new LabelRule.Range(-3, 30)
            : loss.equals("absolute") ? new LabelRule.Measured() : new LabelRule.AsItIs();
    FeatureMapBuilder builder = FeatureMap.builder()
        .bias(!loss.equals("hinge"))
        .comma(
            loss.equals("squared")
                ? NumberComma.DECIMAL
                : loss.equals("hinge") ? NumberComma.THOUSANDS : NumberComma.NONE)
        .missing(
            loss.equals("hinge") || loss.equals("squared") ? MissingMarks.USUAL : MissingMarks.NONE)
        .norm(loss.equals("poisson") ? NormRule.CLIP : NormRule.SCALE)
        .hashBits(6)
        .hats(loss.equals("squared") ? 0 : loss.equals("poisson") ? 1 : 8)
        .numeric("age", "age", 0, 120, Transform.LOG1P, false)
        .numeric("speed", "car.speed", -5, 5, Transform.IDENTITY, true)
        .unbounded("free", "age", false)
        .unbounded("fast", "car.speed", true)
        .form(
            loss.equals("squared")
                ? NumberForm.OCTAVES
                : loss.equals("hinge") ? NumberForm.PLACE : NumberForm.MEASURED)
        .categorical("city", "city", true)
        .categorical("again", "age", false)
        .cross("both", List.of("city", "car.new", "car.speed"), true);
    if (!loss.equals("squared")) {
      builder.range("free", NumberRange.of(-2, 40)).range("fast", NumberRange.ATOM);
    }
    if (loss.equals("logistic")) {
      builder.range("fast", NumberRange.UNKNOWN);
    }
    if (loss.equals("absolute")) {
      builder.labelRange(NumberRange.of(-7, 400));
    }
    return builder.label("y", rule).build();
  }

  static PublishedModel version(String loss) {
    FeatureMap map = map(loss);
    int size = Objectives.named(loss).orElseThrow().dimension(map.dimension());
    double[] weights = Seed.random(3).doubles(size, -3, 3).toArray();
    return version(loss, map.describe() + "events json\nmax-bytes 1048576\n", weights);
  }

  static PublishedModel version(String loss, String features, double[] weights) {
    Guarantee guarantee = new Guarantee(
        PrivacyUnit.KEY,
        Adjacency.REPLACE_ONE,
        "blt",
        0.3,
        1.25,
        1e-6,
        Double.POSITIVE_INFINITY,
        Double.POSITIVE_INFINITY);
    return new PublishedModel(
        new ModelSnapshot(
            "model",
            new byte[16],
            0,
            64,
            weights.length,
            1,
            ModelSnapshot.digest(weights, guarantee),
            features,
            loss,
            "private-ftrl",
            false,
            guarantee,
            new byte[32],
            List.of(),
            new byte[32]),
        weights);
  }

  private static List<String> events() {
    List<String> events = new ArrayList<>(
        List.of(
            "{broken",
            "[1]",
            "{}",
            "{\"age\":true}",
            "{\"age\":\"33\"}",
            "{\"age\":1e999}",
            "{\"age\":NaN}",
            "{\"age\":1,\"z\":[NaN,-Infinity]}",
            "{\"age\":\" +3.5 \"}",
            "{\"age\":\"007\"}",
            "{\"age\":\"5.\"}",
            "{\"age\":\"NA\"}",
            "{\"age\":2,\"car\":{\"speed\":\" n/a\"}}",
            "{\"age\":2,\"car\":{\"speed\":NaN}}",
            "{\"age\":2,\"car\":{\"speed\":\"-nan\"}}",
            "{\"age\":2,\"city\":NaN}",
            "{\"age\":2,\"city\":\"?\"}",
            "{\"age\":\"1,5\"}",
            "{\"age\":\"1.234,5\"}",
            "{\"age\":\"1,234.5\"}",
            "{\"age\":\"-1e-3\"}",
            "{\"age\":\"1_000\"}",
            "{\"age\":\"NA\"}",
            "{\"age\":\" \"}",
            "{\"age\":\"-Inf\"}",
            "{\"age\":1,\"car.speed\":2,\"car\":{\"speed\":1}}",
            "{\"age\":1,\"car\":{\"speed\":1},\"car.speed\":null}",
            "{\"age\":1,\"city\":\"3.10\"}",
            "{\"age\":null,\"city\":\"x\"}",
            "{\"age\":1,\"city\":{\"a\":1}}",
            "{\"age\":1,\"city\":[1]}",
            "{\"age\":1,\"city\":5.0}",
            "{\"age\":1,\"city\":5}",
            "{\"age\":1,\"city\":0.1}",
            "{\"age\":1,\"city\":-0.0}",
            "{\"age\":1,\"city\":1e300}",
            "{\"age\":1,\"city\":123456789012345678901234567890}",
            "{\"age\":123456789012345678901234567890}",
            "{\"age\":1,\"city\":false}",
            "{\"age\":1,\"city\":\"\"}",
            "{\"age\":1,\"car\":5}",
            "{\"age\":1,\"age\":2}",
            "{\"age\":1,\"car\":{\"speed\":2},\"car\":{\"new\":true}}",
            "{\"age\":1} x",
            "{\"age\":-7.25,\"city\":\"\u00e4\u4e16\ud83d\ude00\\n\",\"car\":{\"new\":true,\"speed\":1}}"));
    Random random = Seed.random(4);
    for (int i = 0; i < 200; i++) {
      events.add(String.format(
          Locale.ROOT,
          "{\"age\":%s,\"car\":{\"speed\":%s,\"new\":%b},\"city\":\"c%d\"}",
          i % 2 == 0
              ? String.valueOf(random.nextInt(140))
              : String.valueOf(140 * random.nextDouble()),
          random.nextGaussian() * 3,
          random.nextBoolean(),
          random.nextInt(9)));
    }
    return events;
  }

  private List<String> score(Path file, List<String> events, int expected) throws Exception {
    Path in = Files.writeString(folder.resolve("in"), String.join("\n", events) + "\n");
    Path out = folder.resolve("out");
    Process process = new ProcessBuilder(
            python, Python.script().toString(), "score", "--file", file.toString())
        .redirectInput(in.toFile())
        .redirectOutput(out.toFile())
        .redirectError(folder.resolve("err").toFile())
        .start();
    assertThat(process.waitFor()).as(Files.readString(folder.resolve("err"))).isEqualTo(expected);
    return Files.readAllLines(out);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "logistic",
        "squared",
        "hinge",
        "smoothed-hinge(0.5)",
        "absolute",
        "quantile(0.9)",
        "huber(0.5)",
        "poisson",
        "softmax(3)",
        "network(hidden=4 activation=tanh output=softmax(3) seed=1)",
        "network(hidden=4 activation=sigmoid output=logistic seed=-1)",
        "network(hidden=4 activation=softplus output=squared seed=1)",
        "network(hidden=4 activation=swish output=logistic seed=1)",
        "network(hidden=4 activation=gelu output=logistic seed=1)"
      })
  void scoresEventsAsWeDo(String loss) throws Exception {
    PublishedModel version = version(loss);
    Path file = folder.resolve("model.json");
    ExportedModel.write(version, file);
    ScoringModel model = ScoringModel.of(version);
    Scorer scorer = model.scorer();
    List<String> events = events();
    List<String> lines = score(file, events, 0);
    assertThat(lines).hasSameSizeAs(events);
    int used = 0;
    for (int i = 0; i < events.size(); i++) {
      JsonNode line = JSON.readTree(lines.get(i));
      RecordStatus status = scorer.score(events.get(i).getBytes(StandardCharsets.UTF_8));
      if (status != RecordStatus.USED) {
        assertThat(line.path("unusable").asText()).as(events.get(i)).isEqualTo(status.name());
        continue;
      }
      used++;
      String of = events.get(i) + " " + line;
      if (scorer.outputs() > 1) {
        assertThat(line.path("prediction").asText())
            .as(of)
            .isEqualTo(model.classNames().get(scorer.likeliest()));
        for (int k = 0; k < scorer.outputs(); k++) {
          assertThat(line.path("probabilities").path(k).asDouble(-1))
              .as(of)
              .isCloseTo(scorer.output(k), within(1e-12));
        }
      } else {
        double scale = Math.max(1, Math.abs(scorer.value()));
        assertThat(line.path("prediction").asDouble(Double.NaN))
            .as(of)
            .isCloseTo(scorer.value(), within(1e-12 * scale));
      }
    }
    assertThat(used).isGreaterThan(200);
  }

  /** What cannot be right is refused in words, and nothing is scored. */
  @Test
  void refusesWhatDoesNotVerify() throws Exception {
    Path file = folder.resolve("model.json");
    ExportedModel.write(version("logistic"), file);
    String good = Files.readString(file);
    refused(good.replace("\"weights\":[", "\"weights\":[1,"), "does not verify");
    refused(good.replace("\"epsilon\":1.25", "\"epsilon\":0.25"), "does not verify");
    refused(good.replace("sotto-model 1", "sotto-model 2"), "sotto-model 2");
    refused(good.replace("feature-map 1", "feature-map 2"), "feature-map 2");
    refused(good.replace("log1p", "sqrt"), "sqrt");
    refused(good.replace("\"loss\":\"logistic\"", "\"loss\":\"tweedie(3)\""), "tweedie(3)");
    refused("{", "not JSON");
    ExportedModel.write(version("absolute"), file);
    refused(
        Files.readString(file).replace("label-range measured -7 400", "label-range atom 0 0"),
        "(atom): give label.min and label.max");
  }

  /** As {@code LedgerProof} does. */
  @Test
  void takesAnEntryForThatOfAVersionOnlyWhereItStatesItsRunItsWeightsAndItsRanges()
      throws Exception {
    RangeWindow window = new RangeWindow(2, 5, 0.3, 0.5);
    String features = FeatureMapText.measured(
        map("logistic").describe(), window, 8, List.of(NumberRange.of(-2, 40), NumberRange.ATOM));
    assertThat(FeatureMapText.isMeasuredIn(window.describe(), 8, features)).isTrue();
    String code = """
        import sys
        sys.dont_write_bytecode = True
        sys.path.insert(0, sys.argv[1])
        import sotto_models
        version = {"ledgerHash": b"h", "digest": b"d", "runId": "0a", "features": sys.argv[2]}
        entry = {"runId": b"\\n", "snapshotDigest": b"d", "batch": 8, "rangeWindow": sys.argv[3]}
        confirms = sotto_models.confirms
        print(confirms(entry, b"h", version))
        print(confirms(entry, b"h", {**version, "features": "bias true\\n"}))
        print(confirms(entry, b"g", version))
        for other in ({"runId": b"0"}, {"snapshotDigest": b"e"}, {"snapshotDigest": b""}, {"batch": 9},
                      {"rangeWindow": ""}, {"rangeWindow": sys.argv[4]}):
            print(confirms({**entry, **other}, b"h", version))
        """;
    Path out = folder.resolve("out");
    Process process = new ProcessBuilder(
            python,
            "-c",
            code,
            Python.script().getParent().toString(),
            features,
            window.describe(),
            new RangeWindow(2, 5, 0.6, 0.5).describe())
        .redirectOutput(out.toFile())
        .redirectError(folder.resolve("err").toFile())
        .start();
    assertThat(process.waitFor()).as(Files.readString(folder.resolve("err"))).isZero();
    List<String> answers = Files.readAllLines(out);
    assertThat(answers.subList(0, 2)).containsOnly("True");
    assertThat(answers.subList(2, answers.size())).hasSize(7).containsOnly("False");
  }

  private void refused(String model, String why) throws Exception {
    Path file = Files.writeString(folder.resolve("broken.json"), model);
    assertThat(score(file, List.of("{\"age\":1}"), 1)).isEmpty();
    assertThat(Files.readString(folder.resolve("err")))
        .startsWith("sotto_models: ")
        .contains(why)
        .doesNotContain("Traceback");
  }
}
