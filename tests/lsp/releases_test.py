"""Releases, their environments and platforms: known to the server as they are to `opm build`."""

from knowledge_test import KnowledgeTest

MODULE = 'module: "example.com/apps@v0"\nlanguage: version: "v0.15.0"\n'
PLATFORMS = '''package platforms

import "opmodel.dev/core@v0"

platforms: [string]: core.#Platform
platforms: staging: kubeContext: "kind-staging"
platforms: {
	// Where customers are.
	prod: {kubeContext: "eks-prod", context: defaultDomain: "example.com"}
}
'''
RELEASES = '''package releases

import (
	"opmodel.dev/core@v0"
	web "example.com/apps/web:main"
)

web: core.#ModuleRelease & {
	metadata: name: "web"
	#module: web
	values: {image: "nginx:1.29", port: 80, replicas: 1}
	environments: staging: {platform: platforms.staging, namespace: "staging"}
	environments: prod: {platform: platforms.prod, namespace: "web", values: replicas: 4}
}
'''.replace("web: core", "shop: core")


class ReleaseTest(KnowledgeTest):
    def setUp(self):
        super().setUp()
        self.run_opm("mod", "init", "apps/web")
        self.platforms = self.write(".opm/platform.cue", PLATFORMS)
        self.releases = self.write("apps/web/releases/releases.cue", RELEASES.replace("example.com/apps/web:main", "example.com/web:main"))
        self.editor.open(self.releases)


class CheckingReleases(ReleaseTest):
    def check(self, old, new):
        self.editor.diagnostics(self.releases)
        self.editor.change(self.releases, old, new)
        return self.editor.diagnostics(self.releases)

    def test_platforms_of_the_folder_are_known(self):
        self.assertEqual(self.editor.messages_of(self.releases), [])

    def test_a_platform_that_is_not_known(self):
        [found] = self.check("platforms.prod", "platforms.production")
        self.assertEqual(self.editor.under(self.releases, found["range"]), "platform")
        self.assertEqual(found["message"], 'environment "prod" is on platform "production", which is not known\n'
                         'help: the platforms are staging, prod')

    def test_a_value_of_one_environment(self):
        [found] = self.check("replicas: 4", 'replicas: "four"')
        self.assertIn("replicas", found["message"])
        self.assertIn('"four"', found["message"])
        self.assertEqual(self.editor.under(self.releases, found["range"]), '"four"')

    def test_a_value_that_the_module_does_not_have(self):
        [found] = self.check("values: replicas: 4", "values: replcas: 4")
        self.assertIn('did you mean "replicas"?', found["message"])
        self.assertEqual(self.editor.under(self.releases, found["range"]), "replcas")

    def test_an_environment_without_a_namespace(self):
        [found] = self.check(', namespace: "staging"', "")
        self.assertIn('neither environment "staging" nor release "shop" has a namespace', found["message"])
        self.assertIn("help: set namespace", found["message"])

    def test_what_is_wrong_in_one_environment_says_which(self):
        module = self.folder / "apps/web/module.cue"
        text = module.read_text(encoding="utf-8")
        self.editor.open(module, text + '\n#components: web: {\n\tif #config.replicas > 3 {spec: scaling: count: "many"}\n}\n')
        [found] = [found for found in self.editor.diagnostics(self.releases)] or self.editor.diagnostics(self.releases)
        self.assertIn('environment "prod"', found["message"])

    def test_what_stands_beside_releases(self):
        [found] = self.check("shop: core", "other: 1 & 2\nshop: core")
        self.assertIn("other: conflicting values", found["message"])

    def test_platforms_that_change(self):
        self.assertEqual(self.editor.messages_of(self.releases), [])
        self.editor.open(self.platforms)
        self.assertEqual(self.editor.messages_of(self.platforms), [])
        self.editor.change(self.platforms, "prod: {kubeContext", "main: {kubeContext")
        [found] = self.editor.receive(lambda message: message.get("params", {}).get("diagnostics"))["params"]["diagnostics"]
        self.assertIn('is on platform "prod", which is not known', found["message"])

    def test_a_platform_that_is_wrong(self):
        self.editor.open(self.platforms)
        self.assertEqual(self.editor.messages_of(self.platforms), [])
        self.editor.change(self.platforms, '"kind-staging"', "5")
        [found] = self.editor.diagnostics(self.platforms)
        self.assertIn("platforms.staging.kubeContext", found["message"])
        self.assertEqual(found["relatedInformation"][0]["location"]["range"]["start"]["line"], 5)

    def test_a_package_without_releases_knows_no_platforms(self):
        path = self.write("apps/web/other/other.cue", "package other\n\nx: platforms.prod\n")
        self.editor.open(path)
        [found] = self.editor.messages_of(path)
        self.assertIn('reference "platforms" not found', found)


class KnowingReleases(ReleaseTest):
    def test_platforms(self):
        self.assertIn("Where customers are.", self.hover(self.releases, "platforms.pr|od"))
        found = self.definitions(self.releases, "platforms.pr|od")
        self.assertIn(("platform.cue", 9, 'prod: {kubeContext: "eks-prod", context: defaultDomain: "example.com"}'), found)
        self.editor.change(self.releases, "platforms.prod", "platforms.")
        self.assertEqual(sorted(self.labels(self.releases, "platforms.|,")), ["prod", "staging"])

    def test_fields_of_an_environment(self):
        self.editor.change(self.releases, 'namespace: "web", values', "nam\n\t\tvalues")
        self.assertIn("namespace", self.labels(self.releases, "nam|\n"))

    def test_values_are_those_of_the_module(self):
        self.assertIn("replicas: int & >=1", self.hover(self.releases, "values: repli|cas: 4"))
        self.editor.change(self.releases, "values: replicas: 4", "values: {\n\t\t\n\t}")
        labels = self.labels(self.releases, "values: {\n\t\t|\n")
        self.assertLessEqual({"image", "port", "replicas"}, set(labels))
        self.editor.change(self.releases, '{image: "nginx:1.29", port: 80, replicas: 1}', "{ima}")
        self.assertIn("image", self.labels(self.releases, "{ima|}"))

    def test_into_the_module(self):
        [(name, _, line)] = [found for found in self.definitions(self.releases, "values: repli|cas: 4") if found[0] == "module.cue"]
        self.assertEqual((name, line), ("module.cue", "replicas: int & >=1"))
