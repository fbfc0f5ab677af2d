package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.commons.codec.digest.DigestUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive that was just made: its bill of materials, and a second build with equal bytes. */
class InstallationIT {
  private static final Path HOME =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..").normalize();
  private static final Path TARGET = HOME.resolve("app/target");
  private static final Set<String> LEFT = Set.of(".git", "target", "state");
  /** project.build.outputTimestamp, as zip files keep it: without a zone. */
  private static final LocalDateTime BUILT = LocalDateTime.of(2026, 1, 1, 0, 0);

  @TempDir
  Path folder;

  /** File names of jars, and what they hold. */
  private static Map<String, String> jars(Path library) throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(library)) {
      for (Path each : files.toList()) {
        found.put(each.getFileName().toString(), DigestUtils.sha256Hex(Files.readAllBytes(each)));
      }
    }
    return found;
  }

  /** Neither a library is missing nor one too many, and each is the very file. */
  @Test
  void billsEveryLibraryOfTheArchive() throws IOException {
    Path file = TARGET.resolve("bom.json");
    assumeThat(file).as("Maven leaves it out where it is offline").exists();
    FileTime made = Files.getLastModifiedTime(file);
    for (String each : jars(TARGET.resolve("lib")).keySet()) {
      if (each.startsWith("sotto-")) {
        String module = each.substring("sotto-".length(), each.lastIndexOf('-'));
        Path packed = HOME.resolve(module).resolve("target").resolve(each);
        assumeThat(Files.getLastModifiedTime(packed).compareTo(made) <= 0)
            .as("%s is older than the bill: this build made one", each)
            .isTrue();
      }
    }
    JsonNode bill = new ObjectMapper().readTree(TARGET.resolve("bom.json").toFile());
    assertThat(bill.get("bomFormat").asText()).isEqualTo("CycloneDX");
    assertThat(bill.at("/metadata/component/name").asText()).isEqualTo("sotto-app");
    assertThat(bill.has("serialNumber")).as("another one in each build").isFalse();
    Map<String, String> billed = new TreeMap<>();
    int licensed = 0;
    for (JsonNode each : bill.get("components")) {
      billed.put(fileName(each), hash(each));
      licensed += each.path("licenses").isEmpty() ? 0 : 1;
    }
    assertThat(billed).isEqualTo(jars(TARGET.resolve("lib"))).hasSizeGreaterThan(40);
    assertThat(licensed).isGreaterThan(40);
  }

  private static String fileName(JsonNode component) {
    String purl = component.get("purl").asText();
    int classifier = purl.indexOf("classifier=");
    String end = classifier < 0
        ? ""
        : "-" + purl.substring(classifier + "classifier=".length()).split("&")[0];
    return component.get("name").asText() + "-" + component.get("version").asText() + end + ".jar";
  }

  private static String hash(JsonNode component) {
    for (JsonNode each : component.path("hashes")) {
      if (each.get("alg").asText().equals("SHA-256")) {
        return each.get("content").asText();
      }
    }
    return "none";
  }

  @Test
  void datesNothingByTheClock() throws IOException {
    List<Path> ours = new ArrayList<>(List.of(TARGET.resolve("sotto-app.jar")));
    try (Stream<Path> files = Files.list(TARGET.resolve("lib"))) {
      files.filter(each -> each.getFileName().toString().startsWith("sotto-")).forEach(ours::add);
    }
    assertThat(ours).hasSizeGreaterThan(8);
    for (Path each : ours) {
      try (ZipFile jar = new ZipFile(each.toFile())) {
        assertThat(jar.stream())
            .as(each.toString())
            .isNotEmpty()
            .extracting(ZipEntry::getTimeLocal)
            .containsOnly(BUILT);
      }
    }
  }

  /** Built once more in another folder, from the same sources. */
  @Test
  @Tag("long")
  void isBuiltAgainWithTheSameBytes() throws IOException, InterruptedException {
    Path copy = folder.resolve("elsewhere");
    copySources(copy);
    Path log = folder.resolve("log");
    ProcessBuilder maven = new ProcessBuilder(
            "mvn",
            "-o",
            "-q",
            "-B",
            "-Dmaven.test.skip=true",
            "-Dspotless.check.skip=true",
            "-Dassembly.skipAssembly=true",
            "-pl",
            "app",
            "-am",
            "package")
        .directory(copy.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile());
    assumeThat(Stream.of(System.getenv("PATH").split(":")))
        .as("there is a Maven")
        .anyMatch(each -> Files.isExecutable(Path.of(each, "mvn")));
    assertThat(maven.start().waitFor()).as(Files.readString(log)).isZero();
    Path again = copy.resolve("app/target");
    assertThat(jars(again.resolve("lib"))).isEqualTo(jars(TARGET.resolve("lib")));
    assertThat(again.resolve("sotto-app.jar"))
        .hasSameBinaryContentAs(TARGET.resolve("sotto-app.jar"));
  }

  private static void copySources(Path to) throws IOException {
    Files.walkFileTree(HOME, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes)
          throws IOException {
        if (LEFT.contains(from.getFileName().toString())) {
          return FileVisitResult.SKIP_SUBTREE;
        }
        Files.createDirectories(to.resolve(HOME.relativize(from)));
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path from, BasicFileAttributes attributes)
          throws IOException {
        if (attributes.isRegularFile() && !from.endsWith(".git")) {
          Files.copy(from, to.resolve(HOME.relativize(from)));
        }
        return FileVisitResult.CONTINUE;
      }
    });
  }
}
