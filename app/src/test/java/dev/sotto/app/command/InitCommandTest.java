package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Configurations from made-up samples: what stands in them, and that they work. */
class InitCommandTest extends InitTestBase {
  /** Name of the golden file, sample, flags. */
  static Stream<List<String>> samples() {
    return Stream.of(
        List.of("csv", "shop.csv"),
        List.of("csv-label-unit", "shop.csv", "--label", "bought", "--unit", "user_id"),
        List.of("csv-public", "shop.csv", "--sample-is-public"),
        List.of(
            "csv-public-label",
            "shop.csv",
            "--sample-is-public",
            "--label",
            "bought",
            "--unit-key"),
        List.of("csv-public-number", "shop.csv", "--sample-is-public", "--label", "amount"),
        List.of("json", "visits.jsonl", "--label", "clicked", "--unit", "user.id"),
        List.of("avro", "--schema", "visit.avsc", "--unit-record"),
        List.of("avro-label", "--schema", "visit.avsc", "--unit", "user.id", "--label", "outcome"),
        List.of("protobuf", "--schema", "visit.proto", "--unit-record", "--label", "outcome"),
        List.of("json-schema", "--schema", "visit.json", "--unit", "user.id"),
        List.of("libsvm", "a.libsvm"),
        List.of("libsvm-public", "a.libsvm", "--sample-is-public"));
  }

  /** Run with -Dsotto.docs.update=true to write the files anew. */
  @ParameterizedTest
  @MethodSource("samples")
  void writesTheGoldenConfiguration(List<String> sample) throws IOException {
    String text = made(flags(sample)).replace(folder + "/", "");
    Path golden = Path.of(System.getProperty("basedir", "."))
        .resolve("src/test/resources/init")
        .resolve(sample.get(0) + ".yaml");
    if (Boolean.getBoolean("sotto.docs.update")) {
      Files.createDirectories(golden.getParent());
      Files.writeString(golden, text);
    }
    assertThat(text).isEqualTo(Files.readString(golden));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void makesWhatIsAcceptedOnceEveryTodoIsStated(List<String> sample) throws IOException {
    String yaml = made(flags(sample)).replace("[visit.avsc]", "[" + folder + "/visit.avsc]");
    String done = completed(yaml);
    assertThat(done.lines().filter(line -> !line.startsWith("#")))
        .noneMatch(each -> each.contains("TODO"));
    assertThat(load(done).learner().eventTopic()).isNotBlank();
    boolean complete =
        yaml.lines().filter(line -> !line.startsWith("#")).noneMatch(line -> line.contains("TODO"));
    assertThat(complete)
        .as("needs no word more")
        .isEqualTo(
            List.of("csv-public-label", "csv-public-number", "json", "avro-label", "libsvm-public")
                .contains(sample.get(0)));
  }

  @Test
  void takesANewcomerFromASampleToAReplay() throws IOException {
    StringBuilder text = new StringBuilder("Kind,Size.Length,Size.Width,good\n");
    Random random = Seed.random(6);
    for (int i = 0; i < 6000; i++) {
      double length = 10 * random.nextDouble();
      text.append("k" + i % 4 + "," + length + "," + random.nextInt(100) + ","
          + (random.nextDouble() * 10 < length ? 1 : 0) + "\n");
    }
    String sample = file("goods.csv", text.toString()).toString();
    String config = folder.resolve("sotto.yaml").toString();
    String key = folder.resolve("noise.key").toString();
    assertThat(run(
            "init",
            sample,
            "--label",
            "good",
            "--unit-record",
            "--out",
            config,
            "--noise-key-file",
            key))
        .as("%s", errors)
        .isZero();
    assertThat(out.toString())
        .contains("wrote " + config, "made noise key ", "TODO in " + config + ", on 1 line\n")
        .contains("sotto run -c " + config + " --check", "sotto replay " + sample);

    assertThat(run("run", "-c", config, "--check")).isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString())
        .contains("has 1 error", "loss is still TODO")
        .doesNotContain("features.numeric");

    Files.writeString(Path.of(config), completed(Files.readString(Path.of(config))));
    assertThat(run("run", "-c", config, "--check")).as("%s", errors).isZero();
    assertThat(out.toString()).contains("beyond epsilon 1 at ");
    assertThat(run("replay", sample, "-c", config)).as("%s", errors).isZero();
    assertThat(out.toString())
        .containsPattern("events +6,000")
        .containsPattern("deadLetters +0")
        .containsPattern("logLoss +0\\.");
  }

  /** The key lies beside the configuration, which names it from the current folder. */
  @Test
  void makesTheKeyBesideTheConfiguration() throws IOException {
    String sample = file("shop.csv", shop()).toString();
    Path config = Files.createDirectory(folder.resolve("conf")).resolve("a.yaml");
    assertThat(run("init", sample, "--label", "bought", "--unit-record", "--out", "" + config))
        .as("%s", errors)
        .isZero();
    assertThat(config.resolveSibling("noise.key")).exists();
    assertThat(Files.readString(config))
        .contains("noise.key.file: " + config.resolveSibling("noise.key") + " ");
    Files.writeString(config, completed(Files.readString(config)));
    assertThat(run("run", "-c", config.toString(), "--check")).as("%s", errors).isZero();
    assertThat(made(sample)).as("for standard output").contains("noise.key.file: noise.key ");
  }

  @Test
  void replacesAFileOnlyIfToldSoAndAKeyNever() throws IOException {
    String sample = file("shop.csv", shop()).toString();
    Path config = file("mine.yaml", "mine");
    Path key = folder.resolve("noise.key");
    String[] flags = {"init", sample, "--out", config.toString(), "--noise-key-file", key.toString()
    };
    assertThat(run(flags)).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("must be a new file, but exists", "--force");
    assertThat(Files.readString(config)).isEqualTo("mine");
    assertThat(key).doesNotExist();

    String[] forced = Stream.concat(Stream.of(flags), Stream.of("--force")).toArray(String[]::new);
    assertThat(run(forced)).as("%s", errors).isZero();
    assertThat(Files.readString(config)).startsWith("# Made by sotto init from shop.csv.");
    String made = Files.readString(key);
    assertThat(run(forced)).isZero();
    assertThat(out.toString()).contains("which was there");
    assertThat(Files.readString(key)).isEqualTo(made);
    assertThat(made(sample)).startsWith("# Made by");
    assertThat(folder.resolve("-")).doesNotExist();
  }

  @Test
  void leavesOutRecordsThatItCannotReadAndSaysSo() throws IOException {
    Path sample = file("some.jsonl", "{\"a\":1}\n{\"b\":1\n7\n{\"a\":2}\n");
    assertThat(made(sample.toString())).contains("a: {field: a,").doesNotContain("field: b");
    assertThat(errors.toString()).contains("2 of 4 records could not be read", "record 2: ");
    assertThat(made(sample.toString(), "--rows", "1")).contains("a: {field: a,");
    assertThat(errors.toString()).isEmpty();
  }
}
